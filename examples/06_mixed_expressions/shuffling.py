"""
np.random.shuffle on a tensor duplicates rows
=============================================

``np.random.shuffle`` and ``random.shuffle`` can duplicate rows of a tensor and lose others. Index
with ``samples[torch.randperm(len(samples))]``, or shuffle ``samples.numpy()``.
"""

# sphinx_gallery_tags = ["random", "in-place", "silent", "warning"]

import random

import numpy as np
import torch

# %%
# :func:`numpy.random.shuffle` works in place and accepts a tensor. Here some rows occur several
# times afterwards and others are lost, and a training loop still runs without an error.

samples = torch.arange(10)
np.random.seed(0)
np.random.shuffle(samples)
# => UserWarning: you are shuffling a 'Tensor' object which is not a subclass of 'Sequence'; `shuffle` is not guaranteed to behave correctly. E.g., non-numpy array/tensor objects with view semantics may contain duplicates after shuffling.
print(samples)
# => tensor([0, 0, 1, 3, 1, 3, 3, 3, 0, 5])
print(len(samples.unique()))
# => 4

# %%
# A :class:`numpy.random.Generator` does the same. NumPy `warns about this
# <https://github.com/numpy/numpy/issues/18206>`__; the standard library's ``random.shuffle`` does
# not.

samples = torch.arange(10)
random.seed(0)
random.shuffle(samples)
print(len(samples.unique()))
# => 6

# %%
# These functions swap two elements. An element of a tensor is a view, not a value, so the first
# assignment also changes the element that was saved for the second: `issue 18934
# <https://github.com/pytorch/pytorch/issues/18934>`__.

pair = torch.tensor([1, 2])
pair[0], pair[1] = pair[1], pair[0]
print(pair)
# => tensor([2, 2])

# %%
# Rows of a two-dimensional array are views as well. NumPy's shuffle handles them correctly;
# ``random.shuffle`` silently duplicates rows.

rows = np.arange(20).reshape(10, 2)
random.shuffle(rows)
print(len(np.unique(rows, axis=0)))
# => 5

# %%
# To be safe, shuffle positions and index once. :func:`torch.randperm` uses torch's seed and can
# work on the tensor's device.

samples = torch.arange(10)
torch.manual_seed(0)
shuffled = samples[torch.randperm(len(samples))]
print(len(shuffled.unique()))
# => 10

# %%
# With one set of positions you can also shuffle two tensors alike, such as samples and their
# labels.

labels = samples * 100
order = torch.randperm(len(samples))
print(torch.equal(samples[order] * 100, labels[order]))
# => True

# %%
# To shuffle in place with a NumPy generator, pass ``samples.numpy()``, the array on the same
# memory. The generator's ``permutation`` accepts the tensor and returns a new array.

generator = np.random.default_rng(0)
generator.shuffle(samples.numpy())
print(len(samples.unique()))
# => 10
print(len(np.unique(generator.permutation(samples))))
# => 10
