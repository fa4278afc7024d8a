"""
torch.frombuffer: a tensor from bytes or a bytearray
====================================================

``torch.frombuffer`` shares the memory of a ``bytearray`` or another buffer; pass ``dtype``, and
wrap immutable ``bytes`` in a ``bytearray`` first.
"""

# sphinx_gallery_tags = ["sharing", "buffer"]

import array

import numpy as np
import torch

# %%
# :func:`torch.frombuffer` reads an object with Python's buffer protocol, such as a
# :class:`bytearray`, and shares its memory.

buffer = bytearray(b"\x01\x02\x03\x04")
tensor = torch.frombuffer(buffer, dtype=torch.uint8)
tensor[0] = 255
print(tensor, buffer)
# => tensor([255,   2,   3,   4], dtype=torch.uint8) bytearray(b'\xff\x02\x03\x04')

# %%
# Pass ``dtype``: the function `does not infer it
# <https://docs.pytorch.org/docs/stable/generated/torch.frombuffer.html>`__. It ignores the element
# type of this ``array.array``.

try:
    torch.frombuffer(buffer)
except TypeError as error:
    print(error)
# => frombuffer() missing 1 required positional arguments: "dtype"
samples = array.array("d", [0.5, 1.5])
print(torch.frombuffer(samples, dtype=torch.float64))
# => tensor([0.5000, 1.5000], dtype=torch.float64)
print(torch.frombuffer(samples, dtype=torch.float32).shape)
# => torch.Size([4])

# %%
# :func:`torch.asarray` reads the object's element type since torch 2.15 (`pull request 188784
# <https://github.com/pytorch/pytorch/pull/188784>`__). Earlier releases read the bytes as the
# default float dtype, without a warning, which turns each of these doubles into two wrong numbers.
# Pass the dtype if your code must run on those releases too.

guessed = torch.asarray(samples)
print(guessed.dtype, guessed.shape)
# => torch.float64 torch.Size([2])
print(torch.asarray(samples, dtype=torch.float64))
# => tensor([0.5000, 1.5000], dtype=torch.float64)

# %%
# ``offset`` counts bytes and ``count`` counts elements. Use the two to skip a header.

message = bytearray(b"HEAD") + np.array([1, 2, 3], dtype=np.int16).tobytes()
print(torch.frombuffer(message, dtype=torch.int16, offset=4, count=2))
# => tensor([1, 2], dtype=torch.int16)

# %%
# If you do not pass ``count``, the tensor covers the rest of the buffer after the offset. It raises
# if that is not a whole number of elements.

try:
    torch.frombuffer(bytearray(5), dtype=torch.int16)
except ValueError as error:
    print(error)
# => buffer length (5 bytes) after offset (0 bytes) must be a multiple of element size (2)

# %%
# ``frombuffer`` accepts immutable :class:`bytes` with a warning, and a write to the tensor would
# change them. Wrap them in a ``bytearray``, which copies them:
# :doc:`/gallery/04_layout/immutable_bytes`.

risky = torch.frombuffer(b"\x01\x02", dtype=torch.uint8)
# => UserWarning: The given buffer is not writable, and PyTorch does not support non-writable tensors. This means you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want to copy the buffer to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
safe = torch.frombuffer(bytearray(b"\x01\x02"), dtype=torch.uint8)

# %%
# Arrays have the buffer protocol as well, but ``frombuffer`` drops their shape and raises unless
# they are C-contiguous. Use :func:`torch.from_numpy` for arrays.

grid = np.zeros((2, 3))
print(torch.frombuffer(grid, dtype=torch.float64).shape, torch.from_numpy(grid).shape)
# => torch.Size([6]) torch.Size([2, 3])
try:
    torch.frombuffer(grid[:, ::2], dtype=torch.float64)
except RuntimeError as error:
    print(error)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)
print(torch.from_numpy(grid[:, ::2]).shape)
# => torch.Size([2, 2])
