"""
uint16, uint32 and uint64 tensors: what works
=============================================

Convert the ``uint16`` array of a 16-bit PNG or depth image to a tensor with
``torch.from_numpy(array.astype(np.int32))``: torch takes ``uint16`` since 2.3, but cannot add such
tensors or compare them with ``<``.
"""

# sphinx_gallery_tags = ["dtype", "integer", "error"]

import numpy as np
import torch

# %%
# Arrays of ``uint16``, ``uint32`` and ``uint64`` have been convertible `since torch 2.3
# <https://github.com/pytorch/pytorch/issues/58734>`__, and they share. What torch can do with them
# is another matter.

depth = torch.from_numpy(np.array([40_000, 60_000], dtype=np.uint16))
print(depth)
# => tensor([40000, 60000], dtype=torch.uint16)

# %%
# Moving values about works: joining, selecting, reshaping, and the way back.

print(torch.cat([depth, depth]).numpy().dtype, depth.tolist(), depth[1].item())
# => uint16 [40000, 60000] 60000

# %%
# Computing with them works here and there, by no rule that could be remembered: products do, sums
# and comparisons of order do not.

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
# With a signed tensor there is no common dtype. NumPy would widen, and for the widest integers turn
# to floats.

try:
    depth + torch.tensor([1])
except RuntimeError as error:
    print(error)
# => Promotion for uint16, uint32, uint64 types is not supported, attempted to promote UInt16 and Long
print(np.result_type(np.uint16, np.int64), np.result_type(np.uint64, np.int64))
# => int64 float64

# %%
# With a float they work, because the result is a float.

print(depth * 0.5, (depth / 65_535).dtype)
# => tensor([20000., 30000.]) torch.float32

# %%
# So convert on arrival, to the next larger signed dtype. The signed dtype of the *same* size has no
# room for the upper half, and wraps silently.

print(depth.to(torch.int32), depth.to(torch.int16))
# => tensor([40000, 60000], dtype=torch.int32) tensor([-25536,  -5536], dtype=torch.int16)

# %%
# For ``uint64`` there is no larger one. Floats keep the size and lose digits; ``int64`` keeps all
# bits, which a view in NumPy shows as unsigned again.

hashes = torch.from_numpy(np.array([2**63 + 5], dtype=np.uint64))
print(hashes.double().item() == 2**63 + 5, hashes.long().numpy().view(np.uint64))
# => False [9223372036854775813]

# %%
# On releases that do not know these dtypes the same is done in NumPy, which needs no support from
# torch at all.

pixels = np.array([40_000, 60_000], dtype=np.uint16)
print(torch.from_numpy(pixels.astype(np.int32)))
# => tensor([40000, 60000], dtype=torch.int32)
