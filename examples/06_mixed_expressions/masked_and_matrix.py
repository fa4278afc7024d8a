"""
Masked array and np.matrix to a tensor
======================================

A conversion drops the mask of a masked array, so hidden values count again: use ``filled`` or
``compressed`` first. ``*`` of a ``np.matrix`` is the matrix product, and element-wise in torch:
write ``@``.
"""

# sphinx_gallery_tags = ["subclass", "mask", "arithmetic", "silent"]

import warnings

import numpy as np
import torch

# %%
# A masked array is an array and a mask. A conversion takes the array, and what
# was hidden counts again (:doc:`/gallery/01_numpy_to_tensor/only_arrays`). No function warns.

masked = np.ma.masked_array([1.0, 99.0, 3.0], mask=[False, True, False])
print(masked.mean())
# => 2.0
for convert in [torch.from_numpy, torch.tensor, torch.as_tensor]:
    print(convert(masked).mean().item())
# => 34.333333333333336
# => 34.333333333333336
# => 34.333333333333336

# %%
# Decide what the hidden elements should be. Leave them out, or put in a value that the next
# function knows to ignore.

print(torch.from_numpy(masked.compressed()))
# => tensor([1., 3.], dtype=torch.float64)
print(torch.from_numpy(masked.filled(np.nan)).nanmean())
# => tensor(2., dtype=torch.float64)

# %%
# Where the shape has to stay, keep the mask as a second tensor. It is true for what is *hidden*;
# many torch functions mean by a mask what is to be used.

values = torch.from_numpy(masked.data)
valid = torch.from_numpy(~np.ma.getmaskarray(masked))
print(values[valid].mean(), torch.where(valid, values, 0.0))
# => tensor(2., dtype=torch.float64) tensor([1., 0., 3.], dtype=torch.float64)

# %%
# Without a hidden element the attribute ``mask`` is no array but a scalar, so ``getmaskarray`` is
# the safe way to ask.

plain = np.ma.masked_array([1.0, 2.0])
print(np.ndim(plain.mask), np.ma.getmaskarray(plain))
# => 0 [False False]

# %%
# ``*`` between two :class:`numpy.matrix` objects is the matrix product. In torch it is
# element-wise, so the same formula gives other numbers after the conversion. The filter hides
# that NumPy plans to deprecate the class.

warnings.simplefilter("ignore")
matrix = np.matrix([[1.0, 2.0], [3.0, 4.0]])
tensor = torch.from_numpy(matrix)
print((matrix * matrix).tolist())
# => [[7.0, 10.0], [15.0, 22.0]]
print((tensor * tensor).tolist())
# => [[1.0, 4.0], [9.0, 16.0]]

# %%
# In a mixture the class that NumPy sees decides: with the tensor on the left, ``*`` is the matrix
# product again.

print((tensor * matrix).tolist())
# => [[7.0, 10.0], [15.0, 22.0]]

# %%
# A matrix keeps two dimensions whatever is selected, and a tensor drops one. NumPy `advises
# against the class <https://numpy.org/doc/stable/reference/generated/numpy.matrix.html>`__: write
# ``@``, which means the same everywhere.

print(matrix[0].shape, tensor[0].shape)
# => (1, 2) torch.Size([2])
print(torch.equal(tensor @ tensor, torch.from_numpy(np.asarray(matrix) @ np.asarray(matrix))))
# => True
