"""
Float or 0..255 mask to a binary 0/1 mask: threshold, then cast
===============================================================

``(mask > 0.5).to(torch.uint8)`` gives 0 and 1: compare first, then cast. A cast alone cuts 0.9 down to 0, and
``ConvertImageDtype(torch.uint8)`` scales 1.0 to 255.
"""

# sphinx_gallery_tags = ["mask", "threshold", "segmentation", "uint8", "bool", "image", "dtype"]

import numpy as np
import torch

# %%
# ``ToTensor`` on a ``uint8`` image, or a model that ends in a sigmoid, gives floats from 0 to 1. A comparison
# makes a ``bool`` mask, which becomes 0 and 1 in the dtype that you need: ``uint8`` for images, ``float32``
# for a loss.

soft = torch.tensor([[0.0, 0.4, 0.9], [1.0, 0.6, 0.1]])
mask = soft > 0.5
print(mask.to(torch.uint8))
# => tensor([[0, 0, 1],
# =>         [1, 1, 0]], dtype=torch.uint8)
print(mask.float().unique())
# => tensor([0., 1.])

# %%
# A cast without a comparison drops the fraction, and scaling by 255 gives grey levels.

print(soft.to(torch.uint8))
# => tensor([[0, 0, 0],
# =>         [1, 0, 0]], dtype=torch.uint8)
print((soft * 255).to(torch.uint8).max())
# => tensor(255, dtype=torch.uint8)

# %%
# For raw outputs of a model, a logit above 0 is a probability above 0.5.

logits = torch.logit(torch.tensor([0.2, 0.7]))
print(logits > 0, torch.sigmoid(logits) > 0.5)
# => tensor([False,  True]) tensor([False,  True])

# %%
# A mask file mostly has 0 and 255, or 0 and 1. ``> 0`` reads both, while ``/ 255`` turns the second into
# 0.0039. In a JPEG or a resized mask there are levels between: compare with half of the largest.

ones, levels = np.array([0, 1], dtype=np.uint8), np.array([0, 3, 252, 255], dtype=np.uint8)
print(torch.from_numpy(ones > 0), torch.from_numpy(ones / 255))
# => tensor([False,  True]) tensor([0.0000, 0.0039], dtype=torch.float64)
print(levels > 127)
# => [False False  True  True]

# %%
# To show or save the mask, multiply after the cast: an image of ``uint8`` with 0 and 255.

picture = mask.to(torch.uint8).mul(255).numpy()
print(picture.dtype, np.unique(picture))
# => uint8 [  0 255]

# %%
# Masks of several classes are ids, which need no threshold: :doc:`/gallery/12_files/segmentation_masks`.
