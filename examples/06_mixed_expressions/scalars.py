"""
Tensor times NumPy scalar: which dtype?
=======================================

A Python float or ``np.float64`` scalar keeps a ``float32`` tensor ``float32`` and turns an integer
tensor into ``float32``. ``np.array(0.5)`` is an array: it gives ``float64``, and raises on the left
side of ``*``.
"""

# sphinx_gallery_tags = ["scalar", "dtype", "arithmetic"]

import numpy as np
import torch

# %%
# A Python ``int`` or ``float`` works on either side of a tensor. It does not widen ``float32``,
# although a Python ``float`` has 64 bits.

tensor = torch.tensor([1.0, 2.0, 4.0])
print(tensor / 2.0)
# => tensor([0.5000, 1.0000, 2.0000])
print(2.0 / tensor)
# => tensor([2.0000, 1.0000, 0.5000])
print((tensor * 2).dtype, (tensor / 2.0).dtype)
# => torch.float32 torch.float32

# %%
# The type of the number matters if its `category is higher
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc>`__: a float turns
# an integer tensor into the default floating dtype, an integer does not. True division of integers
# gives a floating dtype.

integers = torch.tensor([1, 2, 4])
print((integers * 2).dtype, (integers * 2.0).dtype, (integers / 2).dtype)
# => torch.int64 torch.float32 torch.float32

# %%
# A NumPy float counts as a Python number in both orders, even a ``np.float64``. With the
# ``float32`` array instead of the tensor, NumPy 2 widens the result to ``float64``.

factor = np.float64(0.5)
print((tensor * factor).dtype, (factor * tensor).dtype)
# => torch.float32 torch.float32
print((tensor.numpy() * factor).dtype)
# => float64

# %%
# A 0-d array prints like a scalar, but it is an array. NumPy computes the expression, and NumPy 2
# widens the dtype again.

print(factor, np.array(0.5))
# => 0.5 0.5
print((tensor * np.array(0.5)).dtype)
# => torch.float64
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)

# %%
# With the 0-d array on the left ``*`` raises, as in
# :doc:`/gallery/06_mixed_expressions/operand_order`. ``item`` turns the array into a number.

half = np.array(0.5)
try:
    half * tensor
except TypeError as error:
    print(error)
# => unsupported operand type(s) for *: 'numpy.ndarray' and 'Tensor'
print(half.item() * tensor)
# => tensor([0.5000, 1.0000, 2.0000])

# %%
# A 0-d tensor behaves like a number here: a ``float64`` one does not widen ``float32``. To compute
# in ``float64``, convert the tensor that has dimensions.

print((tensor * torch.tensor(0.5, dtype=torch.float64)).dtype)
# => torch.float32
print((tensor.double() * 0.5).dtype)
# => torch.float64

# %%
# With a NumPy scalar comparisons such as these work element by element. With an array, even a 0-d
# one, ``!=`` gives one ``True`` and ``<`` raises: :doc:`/gallery/06_mixed_expressions/comparisons`.

print(tensor != np.float64(2))
# => tensor([ True, False,  True])
print(np.float64(2) < tensor)
# => tensor([False, False,  True])
print(tensor != np.array(2.0))
# => True
