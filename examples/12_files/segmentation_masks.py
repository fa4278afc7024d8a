"""
Segmentation mask PNG to a tensor of class ids
==============================================

Read the mask with ``torch.from_numpy(np.array(image)).long()``: ``ToTensor`` would divide the class
numbers by 255. For a coloured mask, compare its pixels with the colour of each class.
"""

# sphinx_gallery_tags = ["segmentation", "mask", "label", "image", "pillow", "dtype"]

import io

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F

# %%
# A mask in one channel
# ---------------------
#
# Each pixel of this grey PNG is the number of a class. The array has these numbers, and ``long``
# makes the ``int64`` ids that losses and indexing expect.

ids = np.array([[0, 1, 1], [2, 2, 0]], dtype=np.uint8)
file = io.BytesIO()
Image.fromarray(ids).save(file, format="png")
image = Image.open(file)
mask = torch.from_numpy(np.array(image)).long()
print(image.mode, mask.dtype, mask.unique())
# => L torch.int64 tensor([0, 1, 2])

# %%
# Divided by 255, as :doc:`ToTensor </gallery/12_files/torchvision_images>` does with images, these ids become
# fractions, which a cast to integers turns into 0.

print((mask / 255).unique(), (mask / 255).long().unique())
# => tensor([0.0000, 0.0039, 0.0078]) tensor([0])

# %%
# A palette PNG can have ids in its pixels, too: do not convert it to RGB.

palette = Image.fromarray(ids).convert("P")
palette.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0])
print(palette.mode, np.unique(palette), np.array(palette.convert("RGB")).shape)
# => P [0 1 2] (2, 3, 3)

# %%
# RGB colours to class ids
# ------------------------
#
# Compare the last axis with each colour. Start with a number for pixels that have none of the
# colours, such as the 255 that you then pass to a loss as ``ignore_index``.

colours = [(0, 0, 0), (255, 0, 0), (0, 255, 0)]
pixels = np.array(palette.convert("RGB"))
labels = np.full(pixels.shape[:2], 255, dtype=np.int64)
for number, colour in enumerate(colours):
    labels[(pixels == colour).all(axis=-1)] = number
print(np.array_equal(labels, ids))
# => True

# %%
# Class index or one-hot
# ----------------------
#
# For N images, ``cross_entropy`` takes ids of shape N by H by W, as ``int64``, beside scores of N by classes by
# H by W. It also takes one-hot masks, as floats with the classes on axis 1; ``one_hot`` puts them last.

scores = torch.zeros(1, 3, 2, 3)
target = mask[None]
one_hot = F.one_hot(target, 3).permute(0, 3, 1, 2).float()
losses = F.cross_entropy(scores, target), F.cross_entropy(scores, one_hot)
print(one_hot.shape, torch.allclose(*losses))
# => torch.Size([1, 3, 2, 3]) True

# %%
# Resize a mask with ``NEAREST``. ``BILINEAR`` mixes the numbers of neighbouring classes here.

stripes = Image.fromarray(np.array([[0, 2], [0, 2]], dtype=np.uint8))
smooth = stripes.resize((4, 4), Image.Resampling.BILINEAR)
nearest = stripes.resize((4, 4), Image.Resampling.NEAREST)
print(np.unique(smooth), np.unique(nearest))
# => [0 1 2] [0 2]
