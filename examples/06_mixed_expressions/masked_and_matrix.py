"""
Masked array and np.matrix to a tensor
======================================

``torch.from_numpy`` drops the mask of a masked array, so hidden values count again: call ``filled``
or ``compressed`` first. ``*`` is the matrix product for ``np.matrix`` but element-wise in torch:
write ``@``.
"""

# sphinx_gallery_tags = ["subclass", "mask", "arithmetic", "silent"]

import warnings

import numpy as np
import torch

# %%
# A masked array consists of an array and a mask. These conversions drop the mask, so hidden values
# count again (:doc:`/gallery/01_numpy_to_tensor/only_arrays`). None of these functions warns.

masked = np.ma.masked_array([1.0, 99.0, 3.0], mask=[False, True, False])
print(masked.mean())
# => 2.0
for convert in [torch.from_numpy, torch.tensor, torch.as_tensor]:
    print(convert(masked).mean().item())
# => 34.333333333333336
# => 34.333333333333336
# => 34.333333333333336

# %%
# Remove the hidden elements with ``compressed``, or replace them with a value that the next
# function ignores.

print(torch.from_numpy(masked.compressed()))
# => tensor([1., 3.], dtype=torch.float64)
print(torch.from_numpy(masked.filled(np.nan)).nanmean())
# => tensor(2., dtype=torch.float64)

# %%
# If the shape must stay, keep the mask as a second tensor. NumPy's mask is true for *hidden*
# elements. To select the others, invert it.

values = torch.from_numpy(masked.data)
valid = torch.from_numpy(~np.ma.getmaskarray(masked))
print(values[valid].mean(), torch.where(valid, values, 0.0))
# => tensor(2., dtype=torch.float64) tensor([1., 0., 3.], dtype=torch.float64)

# %%
# If no element is hidden, the attribute ``mask`` can be a scalar. Call ``getmaskarray`` to get an
# array in every case.

plain = np.ma.masked_array([1.0, 2.0])
print(np.ndim(plain.mask), np.ma.getmaskarray(plain))
# => 0 [False False]

# %%
# ``*`` between two :class:`numpy.matrix` objects is the matrix product. In torch it is
# element-wise, so the same formula gives different numbers after the conversion. The filter hides
# warnings, among them one that NumPy plans to deprecate the class.

warnings.simplefilter("ignore")
matrix = np.matrix([[1.0, 2.0], [3.0, 4.0]])
tensor = torch.from_numpy(matrix)
print((matrix * matrix).tolist())
# => [[7.0, 10.0], [15.0, 22.0]]
print((tensor * tensor).tolist())
# => [[1.0, 4.0], [9.0, 16.0]]

# %%
# With a tensor on the left and a matrix on the right, NumPy computes, so ``*`` is the matrix
# product again.

print((tensor * matrix).tolist())
# => [[7.0, 10.0], [15.0, 22.0]]

# %%
# A row of a matrix has two dimensions; a row of a tensor has one. NumPy `advises against the class
# <https://numpy.org/doc/stable/reference/generated/numpy.matrix.html>`__. Use ``@``, which is the
# matrix product in both.

print(matrix[0].shape, tensor[0].shape)
# => (1, 2) torch.Size([2])
print(torch.equal(tensor @ tensor, torch.from_numpy(np.asarray(matrix) @ np.asarray(matrix))))
# => True
