"""
TypeError: unsupported operand type(s) … 'numpy.ndarray' and 'Tensor'
=====================================================================

NumPy leaves ``array * tensor`` to the tensor on the right, which does not multiply by an array:
convert one operand, so that you have two tensors or two arrays.

.. fix::

   - array * tensor
   + converted = torch.as_tensor(array, dtype=tensor.dtype, device=tensor.device)
   + converted * tensor
"""

# sphinx_gallery_tags = ["arithmetic", "dtype", "error", "warning"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Tensors have a higher `array priority
# <https://numpy.org/doc/stable/reference/arrays.classes.html#numpy.class.__array_priority__>`__
# than arrays, so NumPy leaves the operation to the tensor, which neither multiplies by an array nor
# adds one. For ``+`` Python then tries to concatenate the two, hence the odd second message.

array = np.array([1.0, 2.0])
tensor = torch.tensor([3.0, 4.0])
try:
    array * tensor
except TypeError as error:
    print(error)
# => unsupported operand type(s) for *: 'numpy.ndarray' and 'Tensor'
try:
    array + tensor
except TypeError as error:
    print(error)
# => Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not rely on this error; it may not be given on all Python implementations.

# %%
# ``tensor * array`` runs, but do not rely on it either. NumPy computes the result in its own dtype and
# wraps it in a tensor, in a way that is deprecated (`issue 180657
# <https://github.com/pytorch/pytorch/issues/180657>`__) and for which `an error is proposed
# <https://github.com/numpy/numpy/pull/31119>`__.

product = tensor * array
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(product.dtype)
# => torch.float64

# %%
# The fix
# -------
#
# Convert the array to a tensor with the dtype and device of the other operand.

converted = torch.as_tensor(array, dtype=tensor.dtype, device=tensor.device)
print(converted * tensor, converted + tensor)
# => tensor([3., 8.]) tensor([4., 6.])

# %%
# If you want an array as the result, compute in NumPy. For the other operators see
# :doc:`/gallery/06_mixed_expressions/operand_order`.

print(array * tensor.numpy())
# => [3. 8.]

# %%
# What does not help
# ------------------
#
# ``tensor * array`` converts the tensor with ``numpy()``, which raises if it requires grad, as here,
# or is on a GPU.

try:
    tensor.requires_grad_() * array
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# ``np.concatenate``, which the second message recommends, joins the two instead of adding them.

print(np.concatenate([array, tensor.detach()]))
# => [1. 2. 3. 4.]

# %%
# ``array += tensor`` raises like ``array + tensor``. ``tensor += array`` does not add in place: here it
# binds the name to a new ``float64`` tensor.

total = torch.zeros(2)
view = total
total += array
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(total.dtype, view)
# => torch.float64 tensor([0., 0.])
