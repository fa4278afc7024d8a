"""
repeat, split, sort, size: same name, other meaning
===================================================

``repeat``, ``split``, ``sort``, ``nonzero`` and ``size`` do different things on a tensor and on an
array. For NumPy's ``repeat``, ``split`` and ``size``, call ``repeat_interleave``, ``tensor_split``
and ``numel`` in torch.
"""

# sphinx_gallery_tags = ["functions", "shape", "silent", "error"]

import numpy as np
import torch

# %%
# Here ``repeat`` gives a different result without an error: on the array it repeats each element,
# on the tensor the whole tensor. Torch's ``repeat_interleave`` repeats each element, and NumPy's
# ``tile`` the whole array.

array = np.array([1, 2, 3])
tensor = torch.from_numpy(array)
print(array.repeat(2), tensor.repeat(2))
# => [1 1 2 2 3 3] tensor([1, 2, 3, 1, 2, 3])
print(tensor.repeat_interleave(2), np.tile(array, 2))
# => tensor([1, 1, 2, 2, 3, 3]) [1 2 3 1 2 3]

# %%
# An integer passed to ``split`` is the number of parts in NumPy, and the length of a part in torch.
# Use ``tensor_split`` for a number of parts.

print([part.tolist() for part in np.split(np.arange(6), 2)])
# => [[0, 1, 2], [3, 4, 5]]
print([part.tolist() for part in torch.arange(6).split(2)])
# => [[0, 1], [2, 3], [4, 5]]
print([part.tolist() for part in torch.tensor_split(torch.arange(6), 2)])
# => [[0, 1, 2], [3, 4, 5]]

# %%
# ``sort`` works in place on an array and returns ``None``. On this tensor it returns sorted values
# and their indices, and leaves the tensor as it is.

mixed = np.array([3, 1, 2])
values, indices = torch.from_numpy(mixed).sort()
print(values, indices, mixed)
# => tensor([1, 2, 3]) tensor([1, 2, 0]) [3 1 2]
print(mixed.sort(), mixed)
# => None [1 2 3]

# %%
# ``nonzero`` returns one array per axis in NumPy, and one *row* per element in torch. Indexing
# needs the first form; pass ``as_tuple=True`` to get it from torch.

print(np.array([0, 4, 5]).nonzero(), torch.tensor([0, 4, 5]).nonzero().tolist())
# => (array([1, 2]),) [[1], [2]]
print(torch.tensor([0, 4, 5]).nonzero(as_tuple=True))
# => (tensor([1, 2]),)

# %%
# ``size`` is a number in NumPy and a method in torch. ``transpose`` takes a whole order of axes in
# NumPy and two axes in torch, where ``permute`` takes the order. :func:`torch.dot` raises for 2-d
# tensors.

print(array.size, tensor.size(), tensor.numel())
# => 3 torch.Size([3]) 3
cube = torch.zeros(2, 3, 4)
print(cube.numpy().transpose(2, 0, 1).shape, cube.permute(2, 0, 1).shape)
# => (4, 2, 3) torch.Size([4, 2, 3])
grid = torch.tensor([[1, 5], [7, 3]])
try:
    grid.dot(grid)
except RuntimeError as error:
    print(error)
# => 1D tensors expected, but got 2D and 2D tensors

# %%
# ``T`` reverses the axes of an array. For a batch of matrices use ``mT`` in torch, which `plans to
# allow <https://github.com/pytorch/pytorch/pull/64180>`__ ``T`` for two dimensions and no others.

print(cube.numpy().T.shape, cube.mT.shape)
# => (4, 3, 2) torch.Size([2, 4, 3])

# %%
# ``torch.sum`` and ``torch.cat`` accept NumPy's ``axis`` as another name for ``dim``. ``flip`` does
# not, and NumPy's ``sum`` does not accept ``dim``. More on missing names:
# :doc:`/gallery/13_errors/wrong_method`.

print(grid.sum(axis=0), grid.sum(dim=0), torch.cat([grid, grid], axis=1).shape)
# => tensor([8, 8]) tensor([8, 8]) torch.Size([2, 4])
try:
    grid.numpy().sum(dim=0)
except TypeError as error:
    print("dim" in str(error))
# => True
