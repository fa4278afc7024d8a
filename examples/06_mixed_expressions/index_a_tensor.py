"""
Index a tensor with a NumPy array
=================================

Integer and boolean arrays index a tensor as in NumPy, but a ``uint8`` array is a mask and floats
are cut to integers silently. For ``uint8`` positions, index with
``torch.from_numpy(index).long()``.
"""

# sphinx_gallery_tags = ["indexing", "mask", "dtype", "silent", "warning"]

import numpy as np
import torch

# %%
# Arrays of integers and of booleans select as they do in NumPy: by position and by mask.

tensor = torch.tensor([10, 20, 30, 40])
print(tensor[np.array([0, 2])])
# => tensor([10, 30])
print(tensor[np.array([True, False, True, False])])
# => tensor([10, 30])

# %%
# An array of ``uint8`` holds positions for NumPy and is a mask for torch. The same expression
# gives other elements, and the warning speaks of the dtype alone.

positions = np.array([1, 0, 1, 0], dtype=np.uint8)
print(tensor.numpy()[positions])
# => [20 10 20 10]
print(tensor[positions])
# => tensor([10, 30])
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# Class labels and pixel values often have that dtype. An array that is not as long as the tensor at
# least raises.

try:
    tensor[np.array([1, 0], dtype=np.uint8)]
except IndexError as error:
    print(error)
# => The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [4] at index 0
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# Floating-point arrays are cut to integers, in silence. NumPy refuses them as indices, and torch
# refuses them as tensors.

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
# In brackets torch takes an array for a sequence of numbers, and `reads all but booleans and bytes
# <https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_new.cpp>`__ as ``int64``. A
# list shows the same.

print(tensor[[0.9, 2.9]])
# => tensor([10, 30])

# %%
# An assignment writes to the wrong place in the same way.

scores = torch.zeros(4)
scores[fractions] = 1
print(scores)
# => tensor([1., 0., 1., 0.])

# %%
# Convert the index first, and it is checked: :func:`torch.from_numpy` for integers and booleans,
# with an explicit ``long()`` for other dtypes.

print(tensor[torch.from_numpy(positions).long()])
# => tensor([20, 10, 20, 10])
print(tensor[torch.from_numpy(np.rint(fractions)).long()])
# => tensor([20, 40])
