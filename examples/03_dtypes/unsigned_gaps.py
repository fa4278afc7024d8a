"""
uint16, uint32 and uint64 tensors: what works
=============================================

Convert the ``uint16`` array of a 16-bit PNG or depth image with
``torch.from_numpy(array.astype(np.int32))``. Torch accepts ``uint16`` since 2.3, but raises if you
add two such tensors or compare two with ``<``.
"""

# sphinx_gallery_tags = ["dtype", "integer", "error"]

import numpy as np
import torch

# %%
# Torch has converted ``uint16``, ``uint32`` and ``uint64`` arrays `since 2.3
# <https://github.com/pytorch/pytorch/issues/58734>`__, and shares their memory. But some torch
# operations raise for these dtypes.

depth = torch.from_numpy(np.array([40_000, 60_000], dtype=np.uint16))
print(depth)
# => tensor([40000, 60000], dtype=torch.uint16)

# %%
# You can concatenate and reshape such tensors, read elements by index, and convert them back.

print(torch.cat([depth, depth]).numpy().dtype, depth.tolist(), depth[1].item())
# => uint16 [40000, 60000] 60000

# %%
# Arithmetic support is patchy: multiplication works; addition and ``<`` raise.

print((depth * depth).dtype)
# => torch.uint16
for name in ["add", "lt"]:
    try:
        getattr(torch, name)(depth, depth)
    except (RuntimeError, NotImplementedError) as error:
        print(error)
# => "add_stub" not implemented for 'UInt16'
# => "lt_cpu" not implemented for 'UInt16'

# %%
# A signed integer tensor and one of these dtypes have no common dtype in torch, so adding these two
# raises. NumPy widens to ``int32`` or ``int64``, and for ``uint64`` to ``float64``.

try:
    depth + torch.tensor([1])
except RuntimeError as error:
    print(error)
# => Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Long
print(np.result_type(np.uint16, np.int64), np.result_type(np.uint64, np.int64))
# => int64 float64

# %%
# This arithmetic with floats works, because the result is a float.

print(depth * 0.5, (depth / 65_535).dtype)
# => tensor([20000., 30000.]) torch.float32

# %%
# Convert such tensors to the next larger signed dtype right away. The signed dtype of the *same*
# size ends halfway, and wraps silently.

print(depth.to(torch.int32), depth.to(torch.int16))
# => tensor([40000, 60000], dtype=torch.int32) tensor([-25536,  -5536], dtype=torch.int16)

# %%
# ``uint64`` has no larger signed dtype. Floats can lose digits. ``int64`` keeps the bits, and
# ``view(np.uint64)`` in NumPy shows them as unsigned again.

hashes = torch.from_numpy(np.array([2**63 + 5], dtype=np.uint64))
print(hashes.double().item() == 2**63 + 5, hashes.long().numpy().view(np.uint64))
# => False [9223372036854775813]

# %%
# If torch is older than 2.3, cast the array in NumPy.

pixels = np.array([40_000, 60_000], dtype=np.uint16)
print(torch.from_numpy(pixels.astype(np.int32)))
# => tensor([40000, 60000], dtype=torch.int32)
