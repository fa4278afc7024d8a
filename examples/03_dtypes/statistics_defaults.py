"""
std, var and median differ between NumPy and torch
==================================================

``std`` and ``var`` divide by n in NumPy, by n - 1 in torch: pass ``ddof=1`` or ``unbiased=False``.
For an even count, NumPy's median is the mean of the middle two values, torch's the lower one.
"""

# sphinx_gallery_tags = ["functions", "dtype", "silent", "error"]

import numpy as np
import torch

# %%
# ``std`` and ``var`` divide by n in NumPy, and by n - 1 `in torch
# <https://docs.pytorch.org/docs/stable/generated/torch.std.html>`__. For small samples the
# difference is large.

array = np.array([1.0, 2.0, 3.0, 4.0])
tensor = torch.from_numpy(array)
print(f"{array.std():.4f} {tensor.std().item():.4f}")
# => 1.1180 1.2910

# %%
# Pass the correction explicitly: ``ddof`` in NumPy, ``correction`` in torch. The older ``unbiased``
# still works; ``False`` means a correction of zero, ``True`` a correction of one.

print(np.isclose(array.std(ddof=1), tensor.std().item()))
# => True
print(np.isclose(array.std(), tensor.std(unbiased=False).item()))
# => True

# %%
# For this single value, dividing by n gives zero and dividing by n - 1 gives NaN.

print(np.std([5.0]), torch.tensor([5.0]).std(unbiased=False).item())
# => 0.0 0.0
print(np.std([5.0], ddof=0), torch.tensor([5.0]).std())
# => 0.0 tensor(nan)
# => UserWarning: std(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel).

# %%
# An even number of values has two middle ones. NumPy returns their mean, torch `the lower one
# <https://docs.pytorch.org/docs/stable/generated/torch.median.html>`__. ``torch.quantile``
# interpolates like NumPy, for ``float32`` and ``float64``. Before torch 2.14 it raises ``quantile()
# input tensor is too large`` for `more than 16,777,216 values
# <https://github.com/pytorch/pytorch/issues/64947>`__ (``2**24``): pass the array to ``np.median``
# instead.

print(np.median(array), tensor.median().item(), tensor.quantile(0.5).item())
# => 2.5 2.0 2.5

# %%
# For these integers torch's ``median`` returns the lower one too, so the dtype stays.

counts = np.array([1, 2, 4, 8])
print(np.median(counts), torch.from_numpy(counts).median())
# => 3.0 tensor(2)

# %%
# In torch, the mean of integers or booleans raises if you pass no ``dtype``. To get the share of
# true elements, cast to float first.

accepted = np.array([True, False, True, True])
print(accepted.mean())
# => 0.75
try:
    torch.from_numpy(accepted).mean()
except RuntimeError as error:
    print("could not infer output dtype" in str(error))
# => True
print(torch.from_numpy(accepted).float().mean())
# => tensor(0.7500)

# %%
# Both libraries widen small integers in sums, so this sum does not wrap. In NumPy the result stays
# unsigned; in torch it is signed.

pixels = np.array([200, 100], dtype=np.uint8)
print(pixels.sum(), torch.from_numpy(pixels).sum(), pixels.sum().dtype)
# => 300 tensor(300) uint64

# %%
# In both libraries the mean of these floats is NaN, and ``nanmean`` skips the NaN.

gap = torch.tensor([1.0, float("nan"), 3.0])
print(np.mean(gap.numpy()), gap.mean(), np.nanmean(gap.numpy()), gap.nanmean())
# => nan tensor(nan) 2.0 tensor(2.)
