"""
Large integers change in float32
================================

``float32`` holds integers exactly up to 2**24 and ``float64`` up to 2**53; larger IDs and
timestamps are rounded without a warning. Keep them as integers, and subtract before you convert.
"""

# sphinx_gallery_tags = ["dtype", "precision", "comparison", "silent"]

import numpy as np
import torch

# %%
# A ``float32`` has 24 significant bits, so above 2**24 it misses integers, such as odd ones. Larger
# identifiers, timestamps and pixel indices can silently change.

ids = np.array([2**24, 2**24 + 1])
print(torch.from_numpy(ids).float().long().tolist(), ids.tolist())
# => [16777216, 16777216] [16777216, 16777217]

# %%
# The conversion can be hidden in an operation. Torch multiplies these ``int64`` IDs by a
# ``float32`` tensor in ``float32``, while NumPy uses ``float64``.

scale = torch.ones(2)
print((torch.from_numpy(ids) * scale).long().tolist())
# => [16777216, 16777216]
print((ids * scale.numpy()).dtype)
# => float64

# %%
# A comparison converts in the same way: torch says that two different numbers are equal.

print(torch.from_numpy(ids) == torch.tensor([2.0**24, 2.0**24]))
# => tensor([True, True])
print(ids == np.array([2.0**24, 2.0**24], dtype=np.float32))
# => [ True False]

# %%
# The legacy constructor ``torch.Tensor`` converts to the default dtype, which is ``float32`` unless
# you change it. So does this list, which mixes an integer with a Python float.

print(torch.Tensor(ids).long().tolist())
# => [16777216, 16777216]
print(torch.tensor([2**24 + 1, 0.5])[0].item())
# => 16777216.0

# %%
# For ``float64`` the limit is 2**53. Hashes and times in nanoseconds can exceed it.

stamp = np.array([2**53 + 1])
print((torch.from_numpy(stamp).double().long() - torch.from_numpy(stamp)).item())
# => -1

# %%
# Keep such numbers as integers, and make them small before you convert to float. Here the
# difference of two large times converts exactly, although the times themselves do not.

start = torch.from_numpy(stamp)
print((start + 3 - start).float())
# => tensor([3.])

# %%
# Fractions are a separate problem. One tenth is rounded differently in the two dtypes, so the two
# tensors are not equal. When you compare the ``float32`` tensor with a Python number, the number is
# rounded to ``float32`` first.

singles, doubles = torch.tensor([0.1]), torch.tensor([0.1], dtype=torch.float64)
print(singles == doubles, singles == 0.1)
# => tensor([False]) tensor([True])

# %%
# ``item`` returns the rounded ``float32`` as a Python float, so comparing it with ``0.1`` gives
# ``False``. NumPy 2 `rounds a Python number
# <https://numpy.org/neps/nep-0050-scalar-promotion.html>`__ to the dtype of the scalar, as torch
# does, but it does not round a ``np.float64``.

print(singles.item() == 0.1, np.float32(0.1) == 0.1, np.float32(0.1) == np.float64(0.1))
# => False True False

# %%
# Compare with a tolerance. :func:`torch.allclose` needs both tensors in one dtype,
# :func:`numpy.allclose` accepts two. See :doc:`/gallery/06_mixed_expressions/comparing_in_tests`.

try:
    torch.allclose(singles, doubles)
except RuntimeError as error:
    print(error)
# => Float did not match Double
print(torch.allclose(singles.double(), doubles), np.allclose(singles, doubles))
# => True True
