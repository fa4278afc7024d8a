"""
Index a tensor with a NumPy array
=================================

Integer and boolean arrays can index a tensor as in NumPy, but a ``uint8`` array is treated as a
mask and floats are silently cut to integers. For ``uint8`` positions, index with
``torch.from_numpy(index).long()``.
"""

# sphinx_gallery_tags = ["indexing", "mask", "dtype", "silent", "warning"]

import numpy as np
import torch

# %%
# This integer array selects by position and this boolean array selects as a mask, as in NumPy.

tensor = torch.tensor([10, 20, 30, 40])
print(tensor[np.array([0, 2])])
# => tensor([10, 30])
print(tensor[np.array([True, False, True, False])])
# => tensor([10, 30])

# %%
# In NumPy a ``uint8`` array holds positions; in torch it is a mask. The same expression selects
# different elements, and torch warns about the dtype, not about that.

positions = np.array([1, 0, 1, 0], dtype=np.uint8)
print(tensor.numpy()[positions])
# => [20 10 20 10]
print(tensor[positions])
# => tensor([10, 30])
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# Class labels and pixel values can have dtype ``uint8``. If the array is shorter or longer than the
# tensor, torch raises; if it has the same length, as above, the result can be wrong without an
# error.

try:
    tensor[np.array([1, 0], dtype=np.uint8)]
except IndexError as error:
    print(error)
# => The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [4] at index 0
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# Torch cuts this floating-point array to integers without an error. NumPy raises for such an index,
# and torch raises if the index is a floating-point tensor.

fractions = np.array([0.9, 2.9])
print(tensor[fractions])
# => tensor([10, 30])
try:
    tensor.numpy()[fractions]
except IndexError as error:
    print(error)
# => arrays used as indices must be of integer (or boolean) type
try:
    tensor[torch.from_numpy(fractions)]
except IndexError as error:
    print(error)
# => tensors used as indices must be long, int, byte or bool tensors

# %%
# Torch reads an array in brackets like a list of numbers, and `converts floats
# <https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_new.cpp>`__ to ``int64``. It
# does the same with a list.

print(tensor[[0.9, 2.9]])
# => tensor([10, 30])

# %%
# An assignment with such an index writes to the wrong elements in the same way.

scores = torch.zeros(4)
scores[fractions] = 1
print(scores)
# => tensor([1., 0., 1., 0.])

# %%
# Convert the index to a tensor first, so that torch checks its dtype. Use :func:`torch.from_numpy`
# for ``int64`` and booleans, and add ``long()`` for other integers. A tensor of dtype ``int16``,
# for example, raises as an index. Round floats before you add it.

print(tensor[torch.from_numpy(positions).long()])
# => tensor([20, 10, 20, 10])
print(tensor[torch.from_numpy(np.rint(fractions)).long()])
# => tensor([20, 40])
