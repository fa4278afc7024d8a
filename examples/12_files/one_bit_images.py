"""
PIL mode '1' to a tensor: a bool mask with bytes of 255
=======================================================

``np.array`` of a mode ``1`` image is a ``bool`` array whose true bytes are 255, not 1. Make clean values with
``np.array(image.convert("L")) > 0`` before you build the tensor.
"""

# sphinx_gallery_tags = ["pillow", "bool", "mask", "image", "dtype"]

import numpy as np
import torch
from PIL import Image

# %%
# Pillow stores black and white as 0 and 255, and hands these bytes to NumPy as ``bool``. NumPy and torch expect
# 0 and 1 in a ``bool``.

image = Image.new("1", (3, 1))
image.putpixel((1, 0), 1)
mask = np.array(image)
print(mask, mask.view(np.uint8))
# => [[False  True False]] [[  0 255   0]]

# %%
# ``from_numpy`` shares the bytes, so the tensor holds 255 as well. A cast that copies the byte as it is gives 0
# and 255 in place of 0 and 1, as `a thread about float() shows
# <https://discuss.pytorch.org/t/incorrect-dtype-conversion-from-pil/132074>`__. torch 2.13 gives 1.

tensor = torch.from_numpy(mask)
print(tensor.view(torch.uint8))
# => tensor([[  0, 255,   0]], dtype=torch.uint8)

# %%
# A comparison writes clean bytes, so ``float`` gives 0 and 1 whether or not it copies the byte.

clean = np.array(image.convert("L")) > 0
print(clean.view(np.uint8))
# => [[0 1 0]]
print(torch.from_numpy(clean).float())
# => tensor([[0., 1., 0.]])

# %%
# ``mask != 0`` does the same with the array that you have.

print((mask != 0).view(np.uint8), torch.from_numpy(mask.astype(np.uint8)))
# => [[0 1 0]] tensor([[0, 1, 0]], dtype=torch.uint8)

# %%
# Back to Pillow, ``Image.fromarray`` gives mode ``1`` for a ``bool`` array, and mode ``L`` for ``uint8`` with 0
# and 255.

back = Image.fromarray(clean.astype(np.uint8) * 255)
print(back.mode, back.convert("1").getpixel((1, 0)))
# => L 255
