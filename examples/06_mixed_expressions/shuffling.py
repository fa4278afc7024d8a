"""
np.random.shuffle on a tensor duplicates rows
=============================================

``np.random.shuffle`` and ``random.shuffle`` duplicate rows of a tensor and lose others. Index with
``samples[torch.randperm(len(samples))]``, or shuffle ``samples.numpy()``.
"""

# sphinx_gallery_tags = ["random", "in-place", "silent", "warning"]

import random

import numpy as np
import torch

# %%
# :func:`numpy.random.shuffle` works in place and accepts a tensor. Afterwards some rows are there
# several times and others not at all, which a training loop does not notice.

samples = torch.arange(10)
np.random.seed(0)
np.random.shuffle(samples)
# => UserWarning: you are shuffling a 'Tensor' object which is not a subclass of 'Sequence'; `shuffle` is not guaranteed to behave correctly. E.g., non-numpy array/tensor objects with view semantics may contain duplicates after shuffling.
print(samples)
# => tensor([0, 0, 1, 3, 1, 3, 3, 3, 0, 5])
print(len(samples.unique()))
# => 4

# %%
# A :class:`numpy.random.Generator` does the same. NumPy `warns of it
# <https://github.com/numpy/numpy/issues/18206>`__; ``random.shuffle`` of the standard library
# does not.

samples = torch.arange(10)
random.seed(0)
random.shuffle(samples)
print(len(samples.unique()))
# => 6

# %%
# These functions swap two elements through a temporary name. An element of a tensor is a view, not
# a value, so the first assignment changes what the name refers to: `issue 18934
# <https://github.com/pytorch/pytorch/issues/18934>`__.

pair = torch.tensor([1, 2])
pair[0], pair[1] = pair[1], pair[0]
print(pair)
# => tensor([2, 2])

# %%
# Rows of an array are views as well. NumPy's shuffle treats arrays specially, the one of the
# standard library does not, and ruins them without a word.

rows = np.arange(20).reshape(10, 2)
random.shuffle(rows)
print(len(np.unique(rows, axis=0)))
# => 5

# %%
# The safe form draws positions, and indexes once. :func:`torch.randperm` is seeded by torch and
# can work on the tensor's device.

samples = torch.arange(10)
torch.manual_seed(0)
shuffled = samples[torch.randperm(len(samples))]
print(len(shuffled.unique()))
# => 10

# %%
# Positions also keep two tensors in step, such as samples and their labels.

labels = samples * 100
order = torch.randperm(len(samples))
print(torch.equal(samples[order] * 100, labels[order]))
# => True

# %%
# To shuffle in place with NumPy's generator, hand it the array on the same memory. Its
# ``permutation`` returns a new array and takes the tensor as it is.

generator = np.random.default_rng(0)
generator.shuffle(samples.numpy())
print(len(samples.unique()))
# => 10
print(len(np.unique(generator.permutation(samples))))
# => 10
