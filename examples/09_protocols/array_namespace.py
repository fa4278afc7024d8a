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
# In the `array API standard <https://data-apis.org/array-api/latest/>`__ a function calls
# ``__array_namespace__`` on its argument to get the library to compute with. Arrays have this
# method since NumPy 2. Tensors do not have it: it is on an `open list of missing operators
# <https://github.com/pytorch/pytorch/issues/58742>`__.

array = np.array([[1.0, 2.0], [3.0, 4.0]])
tensor = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(hasattr(array, "__array_namespace__"), hasattr(tensor, "__array_namespace__"))
# => True False

# %%
# Code that begins with this call raises at once.

try:
    tensor.__array_namespace__()
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute '__array_namespace__'

# %%
# Your own function can replace the method, if the code uses only what both libraries have. The
# package `array-api-compat <https://data-apis.org/array-api-compat/>`__ does the same for the whole
# standard.


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
# With this function the result keeps the tensor's device and its gradient. A conversion to NumPy
# would lose both.

tensor.requires_grad_()
print(softmax(tensor).requires_grad, softmax(tensor.to("meta")).device)
# => True meta

# %%
# ``torch.sum`` accepts NumPy's ``axis`` and ``keepdims`` as other names for ``dim`` and
# ``keepdim``. But functions of the same name can differ without a warning: :func:`numpy.std`
# divides by ``n``, :func:`torch.std` by ``n - 1``.

print(f"{np.std(array):.4f} {torch.std(tensor).item():.4f}")
# => 1.1180 1.2910

# %%
# Attributes differ too. ``size`` is a number on an array and a method on a tensor, so generic code
# should use the product of ``shape``.

print(callable(array.size), callable(tensor.size))
# => False True
print(np.prod(array.shape), np.prod(tensor.shape))
# => 4 4
