"""
UserWarning: The given NumPy array is not writable
==================================================

The array is read-only, but a tensor that shares its memory can be written to: copy the data with
``torch.tensor``.

.. fix::

   - shared = torch.from_numpy(array)
   + tensor = torch.tensor(array)

**Safe to ignore** if nothing writes to the tensor: its values are right.
"""

# sphinx_gallery_tags = ["read-only", "sharing", "from_numpy", "warning"]

import warnings

import numpy as np
import torch

# %%
# The error
# ---------
#
# The array has a flag that forbids writing, and a tensor does not have this flag. PyTorch shares
# the memory anyway and warns, by default `once per process
# <https://docs.pytorch.org/docs/stable/generated/torch.set_warn_always.html>`__, here each time.

array = np.frombuffer(b"\x01\x02\x03", dtype=np.uint8)
print(array.flags.writeable)
# => False
shared = torch.from_numpy(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.

# %%
# The fix
# -------
#
# :func:`torch.tensor` copies, so it does not warn.

tensor = torch.tensor(array)
tensor[0] = 9
print(array)
# => [1 2 3]

# %%
# If you create the array, make it writable: use ``bytearray`` instead of ``bytes``, or
# :func:`numpy.array` instead of a read-only view.

writable = np.frombuffer(bytearray(b"\x01\x02\x03"), dtype=np.uint8)
print(torch.from_numpy(writable).sum())
# => tensor(6)

# %%
# What does not help
# ------------------
#
# If you hide the warning, the danger remains: the write changes a read-only array.

constants = np.arange(3.0)
constants.setflags(write=False)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.from_numpy(constants)[0] = 9
print(constants)
# => [9. 1. 2.]

# %%
# :func:`torch.from_dlpack` shares without a warning, and writing works as well. With torch before
# 2.9 or NumPy before 2.1 it raises (`pull request 145000
# <https://github.com/pytorch/pytorch/pull/145000>`__).

torch.from_dlpack(constants)[1] = 9
print(constants)
# => [9. 9. 2.]

# %%
# You can set the flag of an array that owns its memory, but other code may rely on the array being
# read-only. For the array on ``bytes`` NumPy raises.

constants.setflags(write=True)
print(constants.flags.writeable)
# => True
try:
    array.setflags(write=True)
except ValueError as error:
    print(error)
# => cannot set WRITEABLE flag to True of this array

# %%
# :func:`torch.as_tensor` with another dtype copies, so the array is safe. But the warning still
# appears.

converted = torch.as_tensor(array, dtype=torch.float32)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(converted.data_ptr() == array.ctypes.data)
# => False
