"""
std, var and median differ between NumPy and torch
==================================================

``std`` and ``var`` divide by n in NumPy, by n - 1 in torch: pass ``ddof=1`` or ``unbiased=False``.
For an even count, NumPy's median is the mean of the middle two, torch's the lower.
"""

# sphinx_gallery_tags = ["functions", "dtype", "silent", "error"]

import numpy as np
import torch

# %%
# ``std`` and ``var`` divide by the count in NumPy, and by one less `in torch
# <https://docs.pytorch.org/docs/stable/generated/torch.std.html>`__. For small samples the results
# differ visibly, and a normalisation is off by their ratio.

array = np.array([1.0, 2.0, 3.0, 4.0])
tensor = torch.from_numpy(array)
print(f"{array.std():.4f} {tensor.std().item():.4f}")
# => 1.1180 1.2910

# %%
# Say what is meant. NumPy calls the subtrahend ``ddof`` and torch calls it ``correction``; its
# ``unbiased`` chooses between one and zero on every release.

print(np.isclose(array.std(ddof=1), tensor.std().item()))
# => True
print(np.isclose(array.std(), tensor.std(unbiased=False).item()))
# => True

# %%
# With a single value the difference is one between a number and NaN.

print(np.std([5.0]), torch.tensor([5.0]).std(unbiased=False).item())
# => 0.0 0.0
print(np.std([5.0], ddof=0), torch.tensor([5.0]).std())
# => 0.0 tensor(nan)
# => UserWarning: std(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor (input numel divided by output numel).

# %%
# The median of an even number of values lies between two of them. NumPy takes their mean, torch
# `the lower one <https://docs.pytorch.org/docs/stable/generated/torch.median.html>`__.
# ``torch.quantile`` interpolates.

print(np.median(array), tensor.median().item(), tensor.quantile(0.5).item())
# => 2.5 2.0 2.5

# %%
# For integers torch takes the lower one too, and thereby keeps the dtype.

counts = np.array([1, 2, 4, 8])
print(np.median(counts), torch.from_numpy(counts).median())
# => 3.0 tensor(2)

# %%
# A mean of integers or of a mask is refused, since torch would have to choose a dtype. The share of
# true elements needs a cast.

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
# Sums of small integers are widened by both, so they do not wrap here. NumPy keeps them unsigned,
# torch does not.

pixels = np.array([200, 100], dtype=np.uint8)
print(pixels.sum(), torch.from_numpy(pixels).sum(), pixels.sum().dtype)
# => 300 tensor(300) uint64

# %%
# NaN is handled alike, and each library has variants that leave it out.

gap = torch.tensor([1.0, float("nan"), 3.0])
print(np.mean(gap.numpy()), gap.mean(), np.nanmean(gap.numpy()), gap.nanmean())
# => nan tensor(nan) 2.0 tensor(2.)
