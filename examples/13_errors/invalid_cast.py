"""
RuntimeWarning: invalid value encountered in cast
=================================================

An array with NaN or infinity is cast to integers, as in ``(images * 255).astype("uint8")``, and the
picture is black: find where these come from, often ``float16``, and compute that in ``float32``.

.. fix::

   - (decoded * 255).round().astype("uint8")
   + torch.isnan(half).any()
   + pixels = (values.float() * values.float()).sqrt()

**Safe to ignore** if the NaN stand where you do not look, as in masked pixels.
"""

# sphinx_gallery_tags = ["dtype", "float16", "image", "overflow", "warning", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``float16`` ends at 65504. A number from 65520 on becomes infinite, and infinity minus infinity is NaN.
# A decoder of images in ``float16`` can do the same on its way.

values = torch.tensor([300.0, 2.0]).half()
half = values * values - values * values
decoded = half.numpy()
print(half)
# => tensor([nan, 0.], dtype=torch.float16)

# %%
# NumPy warns in the cast, and goes on. Infinity, or 1e20 as ``int64``, gives the same warning. Which
# integer NaN becomes depends on the processor, so it is not printed here.

image = (decoded * 255).round().astype("uint8")
# => RuntimeWarning: invalid value encountered in cast
print(image.dtype)
# => uint8

# %%
# torch does not warn.

print((half * 255).round().to(torch.uint8).dtype)
# => torch.uint8

# %%
# The fix
# -------
#
# Look for NaN in the tensor before the conversion, and go back layer by layer to the first one.

print(torch.isnan(half).any())
# => tensor(True)
print(torch.isinf(values * values).any())
# => tensor(True)

# %%
# Compute that part in ``float32``, or in ``bfloat16``, which has about the same range.

pixels = (values.float() * values.float()).sqrt()
print(pixels, torch.isnan(pixels).any())
# => tensor([300.,   2.]) tensor(False)
print(values.bfloat16() * values.bfloat16())
# => tensor([9.0112e+04, 4.0000e+00], dtype=torch.bfloat16)

# %%
# In diffusers that is often the decoder (VAE) of SDXL: ``pipe.upcast_vae()``, in newer releases
# ``pipe.vae.to(torch.float32)``, a VAE that was made for ``float16``, or
# ``torch_dtype=torch.float32``. See
# `the issue <https://github.com/huanngzh/ComfyUI-MVAdapter/issues/14>`__ for a black picture with
# this warning.

# %%
# Missing values of a table give the same warning when you cast the array of a column to integers;
# pandas raises an error for its own column. Replace them first.

ages = np.array([31.0, np.nan])
print(np.nan_to_num(ages, nan=-1).astype(np.int64))
# => [31 -1]

# %%
# What does not help
# ------------------
#
# ``np.nan_to_num`` on this image removes the warning; the picture stays black. Silencing the warning
# does the same.

print(np.nan_to_num(decoded * 255).astype("uint8"))
# => [0 0]
