"""
UserWarning: The given buffer is not writable
=============================================

``torch.frombuffer`` shares the memory of the ``bytes``, and a write to the tensor would change
them: copy them into a ``bytearray``.

.. fix::

   - tensor = torch.frombuffer(packet, dtype=torch.uint8)
   + writable = bytearray(packet)
   + tensor = torch.frombuffer(writable, dtype=torch.uint8)

**Safe to ignore** if nothing writes to the tensor: its values are right.
"""

# sphinx_gallery_tags = ["buffer", "read-only", "warning"]

import warnings

import numpy as np
import torch

# %%
# The error
# ---------
#
# :func:`torch.frombuffer` makes a tensor on the memory of a Python object, and ``bytes`` are
# immutable. A tensor has no read-only flag, so torch shares the memory and warns, by default `once
# per process <https://docs.pytorch.org/docs/stable/generated/torch.set_warn_always.html>`__, here
# each time.

packet = b"\x01\x02\x03"
tensor = torch.frombuffer(packet, dtype=torch.uint8)
# => UserWarning: The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(tensor)
# => tensor([1, 2, 3], dtype=torch.uint8)

# %%
# The fix
# -------
#
# A ``bytearray`` is a writable copy of the bytes, and the tensor shares its memory.

writable = bytearray(packet)
tensor = torch.frombuffer(writable, dtype=torch.uint8)
tensor[0] = 9
print(packet, writable)
# => b'\x01\x02\x03' bytearray(b'\t\x02\x03')

# %%
# Better still, read the data into a ``bytearray`` directly, which saves the copy. Use ``readinto``
# for files and ``recv_into`` for sockets; the assignment here stands for them.

space = bytearray(3)
memoryview(space)[:] = packet
print(torch.frombuffer(space, dtype=torch.uint8))
# => tensor([1, 2, 3], dtype=torch.uint8)

# %%
# What does not help
# ------------------
#
# If you hide the warning, the danger remains. The write changes an object that Python treats as
# constant, also where other code uses it (:doc:`/gallery/04_layout/immutable_bytes`).

key = bytes([1, 2, 3])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    torch.frombuffer(key, dtype=torch.uint8)[0] = 9
print(key)
# => b'\t\x02\x03'

# %%
# A clone is safe to write to, but the warning still appears.

copied = torch.frombuffer(packet, dtype=torch.uint8).clone()
# => UserWarning: The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(copied)
# => tensor([1, 2, 3], dtype=torch.uint8)

# %%
# If you call :func:`numpy.frombuffer` first, you get :doc:`the warning about arrays
# </gallery/13_errors/read_only_array>` instead, because that array is read-only too.

array = np.frombuffer(packet, dtype=np.uint8)
shared = torch.from_numpy(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(array.flags.writeable)
# => False

# %%
# A ``memoryview`` does not help: on ``bytes`` it is read-only, on a ``bytearray`` it is not.

print(memoryview(packet).readonly, memoryview(writable).readonly)
# => True False
again = torch.frombuffer(memoryview(packet), dtype=torch.uint8)
# => UserWarning: The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
