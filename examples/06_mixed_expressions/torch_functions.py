"""
NumPy array passed to a torch function
======================================

``torch.add(tensor, array)`` raises
``argument 'other' (position 2) must be Tensor, not numpy.ndarray``. Convert the array once, where
you load it: ``torch.as_tensor(array, dtype=torch.float32)``.
"""

# sphinx_gallery_tags = ["functions", "error", "as_tensor"]

import numpy as np
import torch

# %%
# ``torch.add`` does not accept an array, although the operator does. It does accept numbers:
# :doc:`/gallery/06_mixed_expressions/scalars`. The message names the argument, its position counted
# from one, and the type that was passed.

tensor = torch.tensor([1.0, 2.0, 3.0])
array = np.array([4.0, 5.0, 6.0])
try:
    torch.add(tensor, array)
except TypeError as error:
    print(error)
# => add(): argument 'other' (position 2) must be Tensor, not numpy.ndarray

# %%
# For a list of tensors, the message counts the position in the list from zero.

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
# The method ``dot`` raises the same kind of error. The module ``Linear`` passes the array on to a
# function, so the error appears deeper in the traceback.

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
# ``mse_loss`` uses the array before its type is checked. Here ``size`` is a method of a tensor but
# a number in an array, so the message does not mention types.

try:
    torch.nn.functional.mse_loss(tensor, array)
except TypeError as error:
    print(error)
# => 'int' object is not callable

# %%
# Convert the array once, where you load it. :func:`torch.as_tensor` also accepts a tensor and
# shares memory if it can. Pass the dtype too, so that you do not mix ``float64`` and ``float32``.

inputs = torch.as_tensor(array, dtype=torch.float32)
print(torch.add(tensor, inputs))
# => tensor([5., 7., 9.])
print(torch.cat([tensor, inputs]).dtype)
# => torch.float32
print(torch.nn.Linear(3, 1)(inputs).shape)
# => torch.Size([1])

# %%
# If you leave out the dtype, joining promotes to ``float64``, and ``Linear`` raises for the input.

print(torch.cat([tensor, torch.as_tensor(array)]).dtype)
# => torch.float64
try:
    torch.nn.Linear(3, 1)(torch.as_tensor(array))
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Double and Float
