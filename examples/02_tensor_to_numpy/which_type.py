"""
How to check for a tensor or an array: isinstance
=================================================

``isinstance(x, torch.Tensor)`` and ``isinstance(x, np.ndarray)`` tell a tensor from an array.
Comparing ``type(x)`` misses subclasses, and an element of an array is a NumPy scalar, not an array.
"""

# sphinx_gallery_tags = ["functions", "numpy"]

import numpy as np
import torch

# %%
# The conversion gives an object of another library. ``type`` tells them apart even though both
# hold the same numbers.

tensor = torch.tensor([[0.25, 0.5], [0.75, 1.0]])
array = tensor.numpy()
print(type(tensor))
# => <class 'torch.Tensor'>
print(type(array))
# => <class 'numpy.ndarray'>

# %%
# :func:`torch.is_tensor` answers the question that most code asks. It is `implemented as
# isinstance <https://docs.pytorch.org/docs/stable/generated/torch.is_tensor.html>`__, and the
# documentation prefers ``isinstance`` because type checkers understand it.

print(torch.is_tensor(tensor), torch.is_tensor(array))
# => True False
print(isinstance(tensor, torch.Tensor), isinstance(array, torch.Tensor))
# => True False
print(isinstance(array, np.ndarray), isinstance(tensor, np.ndarray))
# => True False

# %%
# Comparing ``type`` directly is too strict: a :class:`torch.nn.Parameter` is a tensor that such a
# check misses, whereas ``isinstance`` accepts every subclass.

parameter = torch.nn.Parameter(torch.ones(2))
print(type(parameter) is torch.Tensor)
# => False
print(isinstance(parameter, torch.Tensor))
# => True

# %%
# One element behaves differently on the two sides. Indexing a tensor gives a tensor without
# dimensions; indexing an array gives a NumPy scalar, which is no array any more.

print(type(tensor[0, 0]))
# => <class 'torch.Tensor'>
print(type(array[0, 0]))
# => <class 'numpy.float32'>
print(isinstance(array[0, 0], np.ndarray), isinstance(array[0, 0], np.generic))
# => False True

# %%
# Looking for an attribute is no substitute. ``numpy`` exists only on the tensor and ``astype`` only
# on the array, but ``shape`` and ``size`` exist on both, and ``size`` is a method of the tensor and
# a number on the array.

print(hasattr(tensor, "numpy"), hasattr(array, "numpy"))
# => True False
print(hasattr(tensor, "astype"), hasattr(array, "astype"))
# => False True
print(callable(tensor.size), callable(array.size))
# => True False
