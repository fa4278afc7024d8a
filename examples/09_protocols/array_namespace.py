"""
__array_namespace__: one function for tensors and arrays
========================================================

Tensors have no ``__array_namespace__``: choose ``torch`` or ``np`` in a function of your own and
call only what both libraries have, which keeps the device and the gradient.
"""

# sphinx_gallery_tags = ["array-api", "functions", "error"]

import numpy as np
import torch

# %%
# The `array API standard <https://data-apis.org/array-api/latest/>`__ has a function ask its
# argument for the library to compute with, by ``__array_namespace__``. Arrays have the method
# since NumPy 2. Tensors lack it: it stands on an `open list of missing operators
# <https://github.com/pytorch/pytorch/issues/58742>`__.

array = np.array([[1.0, 2.0], [3.0, 4.0]])
tensor = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(hasattr(array, "__array_namespace__"), hasattr(tensor, "__array_namespace__"))
# => True False

# %%
# So code that is written to the standard stops at its first line.

try:
    tensor.__array_namespace__()
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute '__array_namespace__'

# %%
# A function of your own can stand in for the method, as long as the code uses only what both
# libraries have. The package `array-api-compat <https://data-apis.org/array-api-compat/>`__ does
# the same for the whole standard.


def namespace(values):
    return torch if isinstance(values, torch.Tensor) else np


def softmax(values):
    xp = namespace(values)
    powers = xp.exp(values - xp.amax(values, -1, keepdims=True))
    return powers / xp.sum(powers, axis=-1, keepdims=True)


print(softmax(array).dtype, softmax(tensor).dtype)
# => float64 torch.float32
print(np.allclose(softmax(array), softmax(tensor).numpy()))
# => True

# %%
# In this way the tensor keeps its device and its graph. A conversion to NumPy would end both.

tensor.requires_grad_()
print(softmax(tensor).requires_grad, softmax(tensor.to("meta")).device)
# => True meta

# %%
# Most functions of torch take ``axis`` and ``keepdims`` for ``dim`` and ``keepdim``. Where one
# name has two meanings, nothing warns: :func:`numpy.std` divides by ``n``, :func:`torch.std` by
# ``n - 1``.

print(f"{np.std(array):.4f} {torch.std(tensor).item():.4f}")
# => 1.1180 1.2910

# %%
# Attributes differ more than functions do: ``size`` is a number in one library and a method in the
# other, so generic code asks for the product of ``shape``.

print(callable(array.size), callable(tensor.size))
# => False True
print(np.prod(array.shape), np.prod(tensor.shape))
# => 4 4
