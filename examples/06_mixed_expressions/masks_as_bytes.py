"""
np.isnan(tensor) gives uint8: masks that became bytes
=====================================================

``np.isnan(tensor)`` and other NumPy tests return a ``uint8`` tensor, and ``~`` on it gives a wrong
mask. Use ``torch.isnan(tensor)``, or repair the mask with ``mask.bool()`` before you invert it.
"""

# sphinx_gallery_tags = ["mask", "dtype", "functions", "silent", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.isnan` of a tensor computes in NumPy and returns a tensor again. On the way back
# torch turns booleans into ``uint8``, a habit from the time before it `had a boolean dtype
# <https://github.com/pytorch/pytorch/issues/77962>`__.

tensor = torch.tensor([1.0, float("nan"), 3.0])
missing = np.isnan(tensor)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(missing)
# => tensor([0, 1, 0], dtype=torch.uint8)

# %%
# The inversion of such a mask is wrong. ``~`` inverts the bits of a byte, and none of the results
# is zero: a selection by it keeps everything, the NaN included.

print(~missing)
# => tensor([255, 254, 255], dtype=torch.uint8)
print(tensor[~missing])
# => tensor([1., nan, 3.])
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# Nothing is raised, and the second warning is only about a dtype. Every count and every test on
# the inverted mask is wrong too.

print((~missing).sum(), torch.isnan(tensor).logical_not().sum())
# => tensor(764) tensor(2)
print((~missing).all().item(), torch.isnan(tensor).logical_not().all().item())
# => 1 False

# %%
# All functions of NumPy that answer yes or no behave in this way, and so do ``&``, ``|`` and ``^``
# between a tensor and an array, although each operand is boolean.

print(np.greater(tensor, 2).dtype, np.isfinite(tensor).dtype)
# => torch.uint8 torch.uint8
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
accepted = torch.tensor([True, False, True])
print(accepted & np.array([True, True, False]))
# => tensor([1, 0, 0], dtype=torch.uint8)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)

# %%
# With ``&=`` a boolean mask changes its dtype in mid-program.

accepted &= np.array([True, True, False])
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(accepted.dtype)
# => torch.uint8

# %%
# Use torch's function of the same name. The mask is boolean, ``~`` is "not", and it works on any
# device.

print(torch.isnan(tensor), tensor[~torch.isnan(tensor)])
# => tensor([False,  True, False]) tensor([1., 3.])

# %%
# Where the NumPy function is needed, give it an array. The mask is then an array, and
# :func:`torch.from_numpy` makes a boolean tensor of it.

present = ~np.isnan(tensor.numpy())
print(tensor[torch.from_numpy(present)])
# => tensor([1., 3.])

# %%
# A mask that has already become bytes is repaired with :meth:`torch.Tensor.bool` before anything
# is inverted.

print(tensor[~missing.bool()])
# => tensor([1., 3.])
