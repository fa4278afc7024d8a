"""
How to check for a tensor or an array: isinstance
=================================================

``isinstance(x, torch.Tensor)`` and ``isinstance(x, np.ndarray)`` tell a tensor from an array.
Comparing ``type(x)`` misses subclasses. ``array[0, 0]`` is a NumPy scalar, not an array.
"""

# sphinx_gallery_tags = ["functions", "numpy"]

import numpy as np
import torch

# %%
# A converted tensor is an object of another library. ``type`` shows which one you have, even though
# both hold the same numbers.

tensor = torch.tensor([[0.25, 0.5], [0.75, 1.0]])
array = tensor.numpy()
print(type(tensor))
# => <class 'torch.Tensor'>
print(type(array))
# => <class 'numpy.ndarray'>

# %%
# :func:`torch.is_tensor` tells the two apart as well. It is `implemented as isinstance
# <https://docs.pytorch.org/docs/stable/generated/torch.is_tensor.html>`__, and the documentation
# prefers ``isinstance`` because type checkers understand it.

print(torch.is_tensor(tensor), torch.is_tensor(array))
# => True False
print(isinstance(tensor, torch.Tensor), isinstance(array, torch.Tensor))
# => True False
print(isinstance(array, np.ndarray), isinstance(tensor, np.ndarray))
# => True False

# %%
# Comparing ``type`` directly is too strict: it misses subclasses such as
# :class:`torch.nn.Parameter`. ``isinstance`` accepts them.

parameter = torch.nn.Parameter(torch.ones(2))
print(type(parameter) is torch.Tensor)
# => False
print(isinstance(parameter, torch.Tensor))
# => True

# %%
# Indexing a single element gives different types: this tensor gives a 0-d tensor, this array gives
# a NumPy scalar, which is not an array.

print(type(tensor[0, 0]))
# => <class 'torch.Tensor'>
print(type(array[0, 0]))
# => <class 'numpy.float32'>
print(isinstance(array[0, 0], np.ndarray), isinstance(array[0, 0], np.generic))
# => False True

# %%
# Do not check for attributes instead. Here the tensor has ``numpy`` and the array has ``astype``,
# but both have ``shape`` and ``size``. ``size`` is a method of the tensor and a number on the
# array.

print(hasattr(tensor, "numpy"), hasattr(array, "numpy"))
# => True False
print(hasattr(tensor, "astype"), hasattr(array, "astype"))
# => False True
print(callable(tensor.size), callable(array.size))
# => True False
