"""
Resize differs between PIL images and tensors: antialias
========================================================

Pillow's bilinear and bicubic filters smooth when they make an image smaller; ``interpolate`` with these
modes does so only with ``antialias=True``. Set it, and resize at the same stage in training and inference.
"""

# sphinx_gallery_tags = ["image", "resize", "pillow", "interpolate", "quality"]

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

# %%
# In this picture each second column is white. Made smaller by four, it should be grey.

columns = np.zeros((64, 64), dtype=np.uint8)
columns[:, ::2] = 255
small = np.array(Image.fromarray(columns).resize((16, 16), Image.Resampling.BILINEAR))
print(small.min(), small.max())
# => 118 137

# %%
# Without antialiasing, bilinear ``interpolate`` reads a few pixels at each place and skips the others. Lines and
# textures can turn into patterns.

image = torch.from_numpy(columns)[None, None].float()
smooth = F.interpolate(image, (16, 16), mode="bilinear", antialias=True)
noise = torch.rand(1, 1, 64, 64, generator=torch.Generator().manual_seed(0))
kept = [
    F.interpolate(noise, (16, 16), mode="bilinear", antialias=flag).std() for flag in (False, True)
]
print(kept[0] > 2 * kept[1])
# => tensor(True)

# %%
# With ``antialias=True`` the result here is Pillow's, up to the rounding to ``uint8``.

print(np.abs(smooth[0, 0].numpy() - small).max() <= 1)
# => True

# %%
# Bilinear enlarging needs no smoothing: the results agree here.

bigger = [
    F.interpolate(image, (100, 100), mode="bilinear", antialias=flag) for flag in (False, True)
]
print(torch.allclose(*bigger, atol=1e-3))
# => True

# %%
# In torchvision, ``Resize`` of a tensor has ``antialias=True`` by default from `0.17
# <https://github.com/pytorch/vision/releases/tag/v0.17.0>`__ on; before that it was off for tensors. For a mask of
# classes, use nearest neighbours in both, because smoothing mixes the numbers.

mask = torch.tensor([[0, 2], [0, 2]])[None, None].float()
print(F.interpolate(mask, (4, 4), mode="nearest").unique())
# => tensor([0., 2.])
