"""
NumPy array passed to a torch function
======================================

A torch function refuses an array: ``argument 'other' (position 2) must be Tensor, not
numpy.ndarray``. Convert once, where the data enters: ``torch.as_tensor(array,
dtype=torch.float32)``.
"""

# sphinx_gallery_tags = ["functions", "error", "as_tensor"]

import numpy as np
import torch

# %%
# A torch function takes no array, not even where an operator would; numbers are another matter,
# see :doc:`/gallery/06_mixed_expressions/scalars`. The message names the argument, its position
# counted from one, and the type that was found.

tensor = torch.tensor([1.0, 2.0, 3.0])
array = np.array([4.0, 5.0, 6.0])
try:
    torch.add(tensor, array)
except TypeError as error:
    print(error)
# => add(): argument 'other' (position 2) must be Tensor, not numpy.ndarray

# %%
# In a list of tensors the position in the list counts from zero.

try:
    torch.cat([tensor, array])
except TypeError as error:
    print(error)
# => expected Tensor as element 1 in argument 0, but got numpy.ndarray
try:
    torch.stack([array, array])
except TypeError as error:
    print(error)
# => expected Tensor as element 0 in argument 0, but got numpy.ndarray

# %%
# Methods and modules pass the array on and fail in the same way, deeper in the traceback.

try:
    tensor.dot(array)
except TypeError as error:
    print(error)
# => dot(): argument 'tensor' (position 1) must be Tensor, not numpy.ndarray
try:
    torch.nn.Linear(3, 1)(array)
except TypeError as error:
    print(error)
# => linear(): argument 'input' (position 1) must be Tensor, not numpy.ndarray

# %%
# Some functions written in Python look at the array first. ``size`` is a method of a tensor and a
# number in an array, so the message says nothing about types.

try:
    torch.nn.functional.mse_loss(tensor, array)
except TypeError as error:
    print(error)
# => 'int' object is not callable

# %%
# Convert once, where the data enters. :func:`torch.as_tensor` accepts arrays and tensors alike
# and shares the memory if it can; naming the dtype there prevents the next error, a mix of
# ``float64`` and ``float32``.

inputs = torch.as_tensor(array, dtype=torch.float32)
print(torch.add(tensor, inputs))
# => tensor([5., 7., 9.])
print(torch.cat([tensor, inputs]).dtype)
# => torch.float32
print(torch.nn.Linear(3, 1)(inputs).shape)
# => torch.Size([1])

# %%
# Without the dtype, joining promotes to the wider one and a module refuses the input.

print(torch.cat([tensor, torch.as_tensor(array)]).dtype)
# => torch.float64
try:
    torch.nn.Linear(3, 1)(torch.as_tensor(array))
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Double and Float
