"""
AttributeError: 'numpy.ndarray' object has no attribute 'cpu'
=============================================================

The value is a NumPy array where the code expects a tensor, or the reverse: convert it, or call the
method of its own class.

.. fix::

   - array.cpu()
   - tensor.astype(np.float64)
   + torch.as_tensor(array).cpu()
   + tensor.to(torch.float64)
"""

# sphinx_gallery_tags = ["functions", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Arrays and tensors share many method names, but not ``astype``, ``cpu``, ``copy`` or ``clone``. The
# message names the class that your value has: an earlier line returned an array instead of a
# tensor, or the reverse.

tensor = torch.ones(2)
array = np.ones(2)
try:
    tensor.astype(np.float64)
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute 'astype'
try:
    array.cpu()
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'cpu'

# %%
# The fix
# -------
#
# Call the method of the value's own class: ``to`` on a tensor. If you may get either, convert once
# with :func:`torch.as_tensor` and use tensor methods from there on.

print(tensor.to(torch.float64).dtype)
# => torch.float64
print(torch.as_tensor(array).cpu().numpy())
# => [1. 1.]

# %%
# Such pairs are ``clone`` and ``copy``, ``permute`` and ``transpose``, ``unsqueeze`` and the function
# ``np.expand_dims``. An array is in CPU memory and has no gradient, so it needs no ``cpu`` and no
# ``detach``.

print(tensor.clone(), array.copy())
# => tensor([1., 1.]) [1. 1.]
print(tensor.unsqueeze(0).shape, np.expand_dims(array, 0).shape)
# => torch.Size([1, 2]) (1, 2)
print(torch.ones(2, 3, 4).permute(2, 0, 1).shape, np.ones((2, 3, 4)).transpose(2, 0, 1).shape)
# => torch.Size([4, 2, 3]) (4, 2, 3)

# %%
# What does not help
# ------------------
#
# Calling the right method is not enough if you pass a NumPy dtype: torch does not accept it.

try:
    tensor.type(np.float64)
except ValueError as error:
    print(error)
# => invalid type: 'numpy.float64'

# %%
# ``numpy().astype(...)`` casts, but the result is an array, which has no ``to``. If the tensor
# requires grad, even ``numpy()`` raises.

detour = tensor.numpy().astype(np.float64)
try:
    detour.to("cpu")
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'to'

# %%
# The same name can mean different things. ``size`` is a number on an array and a method on a
# tensor. ``view`` takes a dtype on an array; a tensor's ``view`` also takes a shape.

print(array.size, tensor.size())
# => 2 torch.Size([2])
print(array.view(np.int64).shape, tensor.view(2, 1).shape)
# => (2,) torch.Size([2, 1])
