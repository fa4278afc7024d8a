"""
sliding_window_view and as_strided: overlapping windows
=======================================================

Clone overlapping windows before you update the tensor in place: torch can update an element once
for every window that contains it, without an error or a warning.
"""

# sphinx_gallery_tags = ["layout", "strides", "in-place", "silent"]

import numpy as np
import torch
from numpy.lib.stride_tricks import as_strided, sliding_window_view

# %%
# Overlapping windows need no memory of their own: rows and columns have the same stride, so one
# element of the signal appears in several windows. :func:`torch.from_numpy` shares this array
# without a warning.

signal = np.zeros(5)
windows = as_strided(signal, shape=(3, 3), strides=(8, 8))
tensor = torch.from_numpy(windows)
print(tensor.stride(), windows.flags.writeable)
# => (1, 1) True

# %%
# Reading is fine, but adding one in place is not: here torch updates an element once per window
# that contains it. It neither raises nor warns, and the number of updates is not guaranteed.

tensor += 1
print(signal)
# => [1. 2. 3. 2. 1.]

# %%
# Torch's in-place addition raises for expanded dimensions, but does `not check for other overlaps
# <https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/MemoryOverlap.cpp>`__; the
# documentation of :func:`torch.as_strided` warns about such writes. NumPy works on a temporary copy
# `if operands overlap <https://numpy.org/doc/stable/release/1.13.0-notes.html>`__.

signal[:] = 0
windows += 1
print(signal)
# => [1. 1. 1. 1. 1.]

# %%
# NumPy's documentation still calls such writes `unpredictable
# <https://numpy.org/doc/stable/reference/generated/numpy.lib.stride_tricks.as_strided.html>`__. By
# default :func:`numpy.lib.stride_tricks.sliding_window_view` returns a read-only array for this
# reason, and torch warns once about it.

safe = sliding_window_view(signal, 3)
print(safe.flags.writeable)
# => False
shared = torch.from_numpy(safe)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.

# %%
# In torch, :meth:`torch.Tensor.unfold` gives the same overlapping view, but it is not read-only. An
# in-place update goes wrong in the same way.

frames = torch.zeros(5).unfold(0, 3, 1)
frames += 1
print(frames)
# => tensor([[1., 2., 3.],
# =>         [2., 3., 2.],
# =>         [3., 2., 1.]])

# %%
# An addition that is not in place computes a new tensor. If you need to update in place, clone
# first; the clone is as large as the windows together.

source = torch.zeros(5)
print(source.unfold(0, 3, 1) + 1)
# => tensor([[1., 1., 1.],
# =>         [1., 1., 1.],
# =>         [1., 1., 1.]])
owned = source.unfold(0, 3, 1).clone()
owned += 1
print(owned.stride(), source)
# => (3, 1) tensor([0., 0., 0., 0., 0.])

# %%
# A wrong shape is worse than an overlap. Neither ``as_strided`` nor ``from_numpy`` checks that the
# view stays inside the array. This tensor has one element more than the signal has memory for; that
# element is not read here.

beyond = as_strided(signal, shape=(6,), strides=(8,))
print(torch.from_numpy(beyond).shape, signal.nbytes)
# => torch.Size([6]) 40
