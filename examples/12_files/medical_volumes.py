"""
nibabel gives (x, y, z), SimpleITK (z, y, x): axes of a volume
==============================================================

Reverse the axes of one with ``transpose(2, 1, 0)``, or the volumes come out rotated and slices are cut along
the wrong axis. Then cast to ``float32`` and add the axis of channels.
"""

# sphinx_gallery_tags = ["medical", "nifti", "nibabel", "simpleitk", "monai", "3d", "volume", "axes", "orientation"]

import numpy as np
import torch

# %%
# ``get_fdata()`` of nibabel gives a ``float64`` array ordered x, y, z. ``GetArrayFromImage`` of SimpleITK gives
# z, y, x in the dtype of the image, which is a float where the file has a scale factor. This is one scan of 5
# by 4 by 3 voxels as both return it.

nib_array = np.arange(60.0).reshape(5, 4, 3)
sitk_array = nib_array.transpose(2, 1, 0).astype(np.int16)
print(nib_array.shape, sitk_array.shape)
# => (5, 4, 3) (3, 4, 5)

# %%
# For models that want (N, C, D, H, W), bring both to z, y, x. ``from_numpy`` takes a transposed array without
# a copy, and ``float`` makes ``float32``.


def to_batch(array):
    return torch.from_numpy(array).float()[None, None]


first, second = to_batch(nib_array.transpose(2, 1, 0)), to_batch(sitk_array)
print(first.shape, torch.equal(first, second))
# => torch.Size([1, 1, 3, 4, 5]) True

# %%
# SimpleITK's ``GetSpacing()`` and ``GetSize()`` stay x, y, z. Reverse them to go with the axes of its array.

spacing = (0.7, 0.7, 3.0)
print(spacing[::-1])
# => (3.0, 0.7, 0.7)

# %%
# The two libraries also describe directions with opposite signs, RAS and LPS. That concerns affine, direction
# and origin: the voxels need no flip. If you flip an array for another reason, it has negative strides, which
# ``from_numpy`` refuses: copy first.

flipped = nib_array[::-1, ::-1]
print(to_batch(flipped.copy()).shape)
# => torch.Size([1, 1, 5, 4, 3])

# %%
# An array or tensor knows no spacing or orientation. Keep the affine of the file beside it, and save a
# predicted mask in the order and with the affine of the image: ``nibabel.Nifti1Image(mask, image.affine)``. The
# ``MetaTensor`` of MONAI carries its affine, which a conversion to NumPy drops.

predicted = first[0, 0] > 30
mask = predicted.numpy().transpose(2, 1, 0).astype(np.uint8)
print(mask.shape == nib_array.shape, mask.dtype)
# => True uint8
