"""
Overflow: numbers that do not fit a narrower dtype
==================================================

Integers in arrays and tensors can wrap around without a warning, and NumPy, unlike torch, warns when
a float becomes infinite in a cast. Check against ``torch.iinfo`` or ``torch.finfo`` before you
convert to a narrower dtype.
"""

# sphinx_gallery_tags = ["dtype", "overflow", "silent", "warning"]

import numpy as np
import torch

# %%
# In both libraries this arithmetic wraps around silently. The sum of two bright pixels can be a
# dark one.

array = np.array([200, 100], dtype=np.uint8)
tensor = torch.from_numpy(array)
print(array + array, tensor + tensor)
# => [144 200] tensor([144, 200], dtype=torch.uint8)
print(array - 150, tensor - 150)
# => [ 50 206] tensor([ 50, 206], dtype=torch.uint8)

# %%
# They differ if you add a Python number out of the range of the dtype. NumPy `raises since version
# 2 <https://numpy.org/doc/stable/numpy_2_0_migration_guide.html>`__; torch wraps around here too.

try:
    array + 300
except OverflowError as error:
    print(error)
# => Python integer 300 out of bounds for uint8
print(tensor + 300)
# => tensor([244, 144], dtype=torch.uint8)

# %%
# Torch does check a number as large as 300 if you only store it: ``torch.tensor`` and ``fill_``
# both raise. They accept -1 and store 255.

for store in [lambda: torch.tensor([300], dtype=torch.uint8), lambda: tensor.fill_(300)]:
    try:
        store()
    except RuntimeError as error:
        print("without overflow" in str(error))
# => True
# => True

# %%
# Converting this array or tensor of integers to ``uint8`` does not check the values: those that do
# not fit wrap around.

wide = np.array([300, -1])
print(wide.astype(np.uint8), torch.from_numpy(wide).to(torch.uint8))
# => [ 44 255] tensor([ 44, 255], dtype=torch.uint8)

# %%
# A float that overflows in ``float16`` becomes infinite. NumPy warns `since 1.24
# <https://numpy.org/doc/stable/release/1.24.0-notes.html>`__; torch does not.

large = np.array([70_000.0])
print(large.astype(np.float16))
# => [inf]
# => RuntimeWarning: overflow encountered in cast
print(torch.from_numpy(large).to(torch.float16))
# => tensor([inf], dtype=torch.float16)

# %%
# NaN has no integer value. Converting it gives *some* integer, which `depends on the processor
# <https://github.com/pytorch/pytorch/issues/107693>`__, so it is not printed here. NumPy warns
# about an invalid value; torch does not.

missing = np.array([np.nan])
print(missing.astype(np.int64).dtype)
# => int64
# => RuntimeWarning: invalid value encountered in cast
print(torch.from_numpy(missing).to(torch.int64).dtype)
# => torch.int64

# %%
# Check before you convert. ``torch.iinfo`` and ``torch.finfo`` give the limits of a dtype, and
# ``torch.isfinite`` finds NaN and infinity.

limits = torch.iinfo(torch.uint8)
values = torch.from_numpy(wide)
print(((values >= limits.min) & (values <= limits.max)).all().item())
# => False
print(values.clamp(limits.min, limits.max).to(torch.uint8))
# => tensor([255,   0], dtype=torch.uint8)
