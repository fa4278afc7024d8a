"""
NaN in tensors and arrays: nanmean, isnan, and where it comes from
==================================================================

torch has ``nanmean``, ``nansum`` and ``nanmedian``; for ``nanstd`` or ``nanmax``, select with ``~x.isnan()``.
To find the cause, test ``torch.isfinite`` after each step: ``float16`` ends at 65504.
"""

# sphinx_gallery_tags = ["nan", "missing values", "reductions", "half", "overflow", "names"]

import numpy as np
import torch

# %%
# The mean of values with a NaN is NaN. The functions that skip it have the same names,
# where torch has them.

array = np.array([1.0, np.nan, 4.0])
x = torch.from_numpy(array)
print(x.mean(), x.nanmean(), x.nansum(), np.nanmean(array))
# => tensor(nan, dtype=torch.float64) tensor(2.5000, dtype=torch.float64) tensor(5., dtype=torch.float64) 2.5
missing = ["nanmean", "nansum", "nanmedian", "nanquantile", "nanstd", "nanvar", "nanmax", "nanmin"]
print([name for name in missing if not hasattr(torch, name)])
# => ['nanstd', 'nanvar', 'nanmax', 'nanmin']

# %%
# For the missing ones, select the other elements. For a maximum along an axis, fill with minus infinity.

print(x[~x.isnan()].std(correction=0), np.nanstd(array))
# => tensor(1.5000, dtype=torch.float64) 1.5
table = torch.tensor([[1.0, torch.nan], [3.0, 2.0]])
print(table.nan_to_num(nan=-torch.inf).amax(dim=1), np.nanmax(table.numpy(), axis=1))
# => tensor([1., 3.]) [1. 3.]

# %%
# The mean over an axis works on masked data as well: divide by how many there are.

valid = ~table.isnan()
print((table.nan_to_num() * valid).sum(1) / valid.sum(1), table.nanmean(dim=1))
# => tensor([1.0000, 2.5000]) tensor([1.0000, 2.5000])

# %%
# NaN is not equal to itself: compare with ``equal_nan``.

print(torch.equal(x, x.clone()), torch.allclose(x, x, equal_nan=True))
# => False True

# %%
# Where NaN comes from
# --------------------
#
# In ``float16`` a product of 65520 or more becomes infinite, and infinity minus infinity is NaN. A model that gives
# NaN, or a black picture, in ``float16`` may work in ``bfloat16`` or ``float32``.

large = torch.tensor([300.0])
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    square = large.to(dtype) ** 2
    print(dtype, (square - square).isnan().item())
# => torch.float16 True
# => torch.bfloat16 False
# => torch.float32 False

# %%
# A cast of NaN to ``uint8`` gives no defined number, and NumPy warns of it. Look at the output before you
# convert it to an image.

output = torch.tensor([0.2, torch.nan, torch.inf])
print(torch.isfinite(output).all(), output.isnan().sum())
# => tensor(False) tensor(1)
print((output.nan_to_num(nan=0.0, posinf=1.0) * 255).round().byte())
# => tensor([ 51,   0, 255], dtype=torch.uint8)

# %%
# Missing numbers of a table often arrive as NaN. A mean loss over them is NaN, so leave them out there, too.

target = torch.tensor([1.0, torch.nan, 3.0])
prediction = torch.zeros(3)
known = ~target.isnan()
print(torch.nn.functional.mse_loss(prediction[known], target[known]))
# => tensor(5.)
