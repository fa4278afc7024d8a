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
# A ``float32`` has 24 significant bits. From two to the power of 24 on it skips integers, and
# identifiers, timestamps and pixel indices of that size change without a word.

ids = np.array([2**24, 2**24 + 1])
print(torch.from_numpy(ids).float().long().tolist(), ids.tolist())
# => [16777216, 16777216] [16777216, 16777217]

# %%
# The conversion need not be visible. A product of integers with a ``float32`` tensor is
# ``float32`` in torch, while NumPy takes a wider dtype.

scale = torch.ones(2)
print((torch.from_numpy(ids) * scale).long().tolist())
# => [16777216, 16777216]
print((ids * scale.numpy()).dtype)
# => float64

# %%
# A comparison converts in the same way, and finds two different numbers equal.

print(torch.from_numpy(ids) == torch.tensor([2.0**24, 2.0**24]))
# => tensor([True, True])
print(ids == np.array([2.0**24, 2.0**24], dtype=np.float32))
# => [ True False]

# %%
# The legacy constructor always does it, and so does a list with one float among the integers.

print(torch.Tensor(ids).long().tolist())
# => [16777216, 16777216]
print(torch.tensor([2**24 + 1, 0.5])[0].item())
# => 16777216.0

# %%
# For ``float64`` the limit is two to the power of 53, which hashes and times in nanoseconds exceed.

stamp = np.array([2**53 + 1])
print((torch.from_numpy(stamp).double().long() - torch.from_numpy(stamp)).item())
# => -1

# %%
# Keep such numbers as integers. What must be a float should be made small first: a difference of
# two times fits where the times do not.

start = torch.from_numpy(stamp)
print((start + 3 - start).float())
# => tensor([3.])

# %%
# Fractions are a separate matter. One tenth is rounded in either dtype, in different places, so the
# two tensors are not equal. A Python number is rounded like the tensor it is compared with.

singles, doubles = torch.tensor([0.1]), torch.tensor([0.1], dtype=torch.float64)
print(singles == doubles, singles == 0.1)
# => tensor([False]) tensor([True])

# %%
# ``item`` makes a double of the rounded ``float32``, so comparing it with the same Python number
# fails. NumPy 2 `rounds a Python number <https://numpy.org/neps/nep-0050-scalar-promotion.html>`__
# to the dtype of its scalar as torch does, but not a ``float64``.

print(singles.item() == 0.1, np.float32(0.1) == 0.1, np.float32(0.1) == np.float64(0.1))
# => False True False

# %%
# Tolerances help, in one dtype: :func:`torch.allclose` refuses two, :func:`numpy.allclose` takes
# them. See :doc:`/gallery/06_mixed_expressions/comparing_in_tests`.

try:
    torch.allclose(singles, doubles)
except RuntimeError as error:
    print(error)
# => Float did not match Double
print(torch.allclose(singles.double(), doubles), np.allclose(singles, doubles))
# => True True
