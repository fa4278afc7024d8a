"""
np.isnan(tensor) gives uint8: masks that became bytes
=====================================================

``np.isnan(tensor)`` and ``np.isfinite(tensor)`` return a ``uint8`` tensor, and ``~`` on it gives a
wrong mask. Use ``torch.isnan(tensor)``, or call ``mask.bool()`` before you invert the mask.
"""

# sphinx_gallery_tags = ["mask", "dtype", "functions", "silent", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.isnan` of a tensor computes in NumPy and returns a tensor. When torch wraps the
# result, it converts booleans to ``uint8``, which dates from the time before it
# `had a boolean dtype <https://github.com/pytorch/pytorch/issues/77962>`__.

tensor = torch.tensor([1.0, float("nan"), 3.0])
missing = np.isnan(tensor)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(missing)
# => tensor([0, 1, 0], dtype=torch.uint8)

# %%
# Inverting such a mask goes wrong. ``~`` inverts the bits of each byte, and none of the results is
# zero, so the inverted mask selects the whole tensor, including the NaN.

print(~missing)
# => tensor([255, 254, 255], dtype=torch.uint8)
print(tensor[~missing])
# => tensor([1., nan, 3.])
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# It does not raise, and the second warning is about a dtype. Counting and testing the inverted mask
# give wrong results too.

print((~missing).sum(), torch.isnan(tensor).logical_not().sum())
# => tensor(764) tensor(2)
print((~missing).all().item(), torch.isnan(tensor).logical_not().all().item())
# => 1 False

# %%
# ``np.greater`` and ``np.isfinite`` do this too. So do ``&``, ``|`` and ``^`` between a boolean
# tensor on the left and a boolean array.

print(np.greater(tensor, 2).dtype, np.isfinite(tensor).dtype)
# => torch.uint8 torch.uint8
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
accepted = torch.tensor([True, False, True])
print(accepted & np.array([True, True, False]))
# => tensor([1, 0, 0], dtype=torch.uint8)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)

# %%
# After ``&=`` with an array, a boolean mask has dtype ``uint8``.

accepted &= np.array([True, True, False])
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(accepted.dtype)
# => torch.uint8

# %%
# Use torch's function of the same name. Its mask is boolean, and ``~`` inverts it correctly.

print(torch.isnan(tensor), tensor[~torch.isnan(tensor)])
# => tensor([False,  True, False]) tensor([1., 3.])

# %%
# If you need the NumPy function, pass it an array. The mask is then an array too, and
# :func:`torch.from_numpy` turns it into a boolean tensor.

present = ~np.isnan(tensor.numpy())
print(tensor[torch.from_numpy(present)])
# => tensor([1., 3.])

# %%
# If a mask already has dtype ``uint8``, call :meth:`torch.Tensor.bool` before you invert it.

print(tensor[~missing.bool()])
# => tensor([1., 3.])
