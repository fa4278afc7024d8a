"""
int4 weights: pack and unpack 4-bit values, dequantise int8
===========================================================

NumPy has no 4-bit integers, and torch's lack ``+`` and ``*``, so two values share a ``uint8``, or eight an
``int32`` as in GPTQ files. Shift and mask to unpack; ``(q - zero_point) * scale`` gives floats.
"""

# sphinx_gallery_tags = ["int4", "quantisation", "quantized", "gptq", "int8", "uint8", "bits", "pack", "dequantize"]

import numpy as np
import torch

# %%
# Two values from 0 to 15 in one byte: the first in the lower half, the second shifted by four bits. Which half
# comes first is a matter of the file format.

values = torch.tensor([1, 15, 7, 8], dtype=torch.uint8)
packed = values[0::2] | (values[1::2] << 4)
print(packed)
# => tensor([241, 135], dtype=torch.uint8)

# %%
# Unpack with a mask and a shift, and put the pairs side by side again.

unpacked = torch.stack([packed & 15, packed >> 4], dim=-1).flatten()
print(torch.equal(unpacked, values))
# => True

# %%
# Signed values from -8 to 7 can be stored as their lower four bits. Subtract 16 from those above 7. Other
# formats add 8 instead: see the documentation of yours.

signed = torch.tensor([-8, 7, -1, 3], dtype=torch.int8)
nibbles = signed & 15
print(nibbles, torch.where(nibbles > 7, nibbles - 16, nibbles))
# => tensor([ 8,  7, 15,  3], dtype=torch.int8) tensor([-8,  7, -1,  3], dtype=torch.int8)

# %%
# Eight values in an ``int32``, as GPTQ stores them, need eight shifts. The mask removes the sign that a shift
# of a negative number brings in.

word = torch.tensor([0x76543210, -1], dtype=torch.int32)
shifts = torch.arange(0, 32, 4, dtype=torch.int32)
print((word[:, None] >> shifts) & 15)
# => tensor([[ 0,  1,  2,  3,  4,  5,  6,  7],
# =>         [15, 15, 15, 15, 15, 15, 15, 15]], dtype=torch.int32)

# %%
# NumPy has the same operators.

array = packed.numpy()
print(np.stack([array & 15, array >> 4], axis=-1).ravel())
# => [ 1 15  7  8]

# %%
# Dequantise
# ----------
#
# Cast before the subtraction: in ``int8`` the difference can leave the range.

quantised = np.array([-128, 0, 127], dtype=np.int8)
scale, zero_point = np.float32(0.5), 10
floats = (torch.from_numpy(quantised).float() - zero_point) * torch.tensor(scale)
print(floats)
# => tensor([-69.0000,  -5.0000,  58.5000])
again = (floats / torch.tensor(scale) + zero_point).round().clamp(-128, 127).to(torch.int8)
print(np.array_equal(again.numpy(), quantised))
# => True
