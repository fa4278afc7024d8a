"""
repeat, split, sort, size: same name, other meaning
===================================================

``repeat``, ``split``, ``sort``, ``nonzero`` and ``size`` mean something else on a tensor than on an
array. Torch's names for NumPy's are ``repeat_interleave``, ``tensor_split`` and ``numel``.
"""

# sphinx_gallery_tags = ["functions", "shape", "silent", "error"]

import numpy as np
import torch

# %%
# ``repeat`` is the name that misleads without an error. It repeats each element of an array and
# the whole of a tensor; the counterparts are called ``repeat_interleave`` and ``tile``.

array = np.array([1, 2, 3])
tensor = torch.from_numpy(array)
print(array.repeat(2), tensor.repeat(2))
# => [1 1 2 2 3 3] tensor([1, 2, 3, 1, 2, 3])
print(tensor.repeat_interleave(2), np.tile(array, 2))
# => tensor([1, 1, 2, 2, 3, 3]) [1 2 3 1 2 3]

# %%
# The number given to ``split`` is a number of parts for NumPy, and the length of a part for torch.
# ``tensor_split`` counts parts.

print([part.tolist() for part in np.split(np.arange(6), 2)])
# => [[0, 1, 2], [3, 4, 5]]
print([part.tolist() for part in torch.arange(6).split(2)])
# => [[0, 1], [2, 3], [4, 5]]
print([part.tolist() for part in torch.tensor_split(torch.arange(6), 2)])
# => [[0, 1, 2], [3, 4, 5]]

# %%
# ``sort`` works in place on an array and returns nothing. On a tensor it leaves the values alone,
# and returns two results.

mixed = np.array([3, 1, 2])
values, indices = torch.from_numpy(mixed).sort()
print(values, indices, mixed)
# => tensor([1, 2, 3]) tensor([1, 2, 0]) [3 1 2]
print(mixed.sort(), mixed)
# => None [1 2 3]

# %%
# ``nonzero`` gives one array per axis in NumPy, and one *row* per element in torch. Indexing needs
# the first form; ``as_tuple`` asks torch for it.

print(np.array([0, 4, 5]).nonzero(), torch.tensor([0, 4, 5]).nonzero().tolist())
# => (array([1, 2]),) [[1], [2]]
print(torch.tensor([0, 4, 5]).nonzero(as_tuple=True))
# => (tensor([1, 2]),)

# %%
# ``size`` is a number in NumPy and a method in torch. ``transpose`` takes all axes there and two
# here, where ``permute`` takes all. :func:`torch.dot` refuses matrices on purpose.

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
# ``T`` reverses all axes of an array. For a batch of matrices the tensor has ``mT``, and torch
# `plans to allow <https://github.com/pytorch/pytorch/pull/64180>`__ ``T`` for two dimensions only.

print(cube.numpy().T.shape, cube.mT.shape)
# => (4, 3, 2) torch.Size([2, 4, 3])

# %%
# ``axis`` and ``keepdims`` are understood by torch as other names of ``dim`` and ``keepdim``. NumPy
# does not know torch's. More on missing names: :doc:`/gallery/13_errors/wrong_method`.

print(grid.sum(axis=0), grid.sum(dim=0), torch.cat([grid, grid], axis=1).shape)
# => tensor([8, 8]) tensor([8, 8]) torch.Size([2, 4])
try:
    grid.numpy().sum(dim=0)
except TypeError as error:
    print("dim" in str(error))
# => True
