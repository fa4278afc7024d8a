"""
TypeError: 'int' object is not callable
=======================================

``size`` is a method of a tensor and a number in an array: write ``shape[0]`` or ``len(x)``, which
work for both.

.. fix::

   - array.size(0)
   + array.shape[0]
"""

# sphinx_gallery_tags = ["functions", "shape", "error"]

import math

import numpy as np
import torch

# %%
# The error
# ---------
#
# The code was written for tensors, and got an array. ``array.size`` is the number of elements, an
# ``int``, so calling it raises.

array = np.zeros((2, 3))
tensor = torch.from_numpy(array)
try:
    array.size(0)
except TypeError as error:
    print(error)
# => 'int' object is not callable
print(array.size, tensor.size(), tensor.size(0))
# => 6 torch.Size([2, 3]) 2

# %%
# The other way round, the line does not raise at first: ``tensor.size``, if you forget the
# parentheses, is the method itself. The error comes when you compute with it.

try:
    tensor.size + 1
except TypeError as error:
    print(error)
# => unsupported operand type(s) for +: 'builtin_function_or_method' and 'int'

# %%
# ``shape`` and ``dtype`` are attributes, not methods. A pair of parentheses too many gives a
# similar message.

try:
    tensor.shape()
except TypeError as error:
    print(error)
# => 'torch.Size' object is not callable
try:
    array.shape()
except TypeError as error:
    print(error)
# => 'tuple' object is not callable

# %%
# The fix
# -------
#
# ``shape``, ``len`` and ``ndim`` mean the same for both.

print(array.shape[0], tensor.shape[0])
# => 2 2
print(len(array), len(tensor), array.ndim, tensor.ndim)
# => 2 2 2 2

# %%
# For the number of elements, ``numel()`` belongs to tensors and ``size`` to arrays. ``math.prod``
# of the shape works for both.

print(tensor.numel(), array.size, math.prod(tensor.shape), math.prod(array.shape))
# => 6 6 6 6

# %%
# If the code needs a tensor, convert once where the data comes in.
# :class:`torch.utils.data.TensorDataset` is such code: see
# :doc:`/gallery/11_data/tensor_dataset`.

print(torch.as_tensor(array).size(0))
# => 2

# %%
# What does not help
# ------------------
#
# ``array.size`` without the parentheses does not raise, but it counts elements, not rows.

print(array.size, array.shape[0])
# => 6 2
