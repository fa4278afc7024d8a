"""
Tensor to a PIL image
=====================

Move the channels last, multiply by 255, then ``round()``, ``clamp(0, 255)`` and cast to
``torch.uint8`` before ``Image.fromarray``; a cast alone cuts off the fraction.
"""

# sphinx_gallery_tags = ["pillow", "image", "dtype", "silent"]

import numpy as np
import torch
from PIL import Image

# %%
# Pillow has no colour mode for floats. In the message ``(1, 1, 3)`` means three channels, and
# ``<f4`` is a 4-byte float.

picture = torch.full((3, 2, 5), 0.999)
try:
    Image.fromarray(picture.permute(1, 2, 0).numpy())
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1, 3), <f4

# %%
# Multiply by 255, round, clamp to the range, and then cast. A cast alone cuts off the fraction, so
# 0.999 does not become 255. Outside the range of ``uint8`` the result of a cast is `undefined
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__.

scaled = picture.permute(1, 2, 0) * 255
pixels = scaled.round().clamp(0, 255).to(torch.uint8)
print(scaled.to(torch.uint8)[0, 0], pixels[0, 0])
# => tensor([254, 254, 254], dtype=torch.uint8) tensor([255, 255, 255], dtype=torch.uint8)
image = Image.fromarray(pixels.numpy())
print(image.mode, image.size)
# => RGB (5, 2)

# %%
# Put the channels last. With another order Pillow raises, unless the image is two to four pixels
# wide: then Pillow treats its columns as colours.

narrow = torch.zeros(3, 2, 4, dtype=torch.uint8)
wrong = Image.fromarray(narrow.numpy())
right = Image.fromarray(narrow.permute(1, 2, 0).numpy())
print(wrong.mode, wrong.size)
# => RGBA (2, 3)
print(right.mode, right.size)
# => RGB (4, 2)

# %%
# A grey image may be ``float32``, in mode ``F``. Converting it to 8 bits cuts off the fraction
# without scaling: an image with values between 0 and 1 turns black.

gray = torch.tensor([[0.0, 0.5, 0.999]])
print(Image.fromarray(gray.numpy()).mode)
# => F
print(Image.fromarray(gray.numpy()).convert("L").getextrema())
# => (0, 0)
print(Image.fromarray((gray * 255).round().byte().numpy()).getextrema())
# => (0, 255)

# %%
# Labels are ``int64`` in torch, and Pillow has no mode for them either. A mask of up to 256 classes
# fits into ``uint8``.

mask = torch.tensor([[0, 3], [1, 2]])
try:
    Image.fromarray(mask.numpy())
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1), <i8
print(np.array(Image.fromarray(mask.byte().numpy())))
# => [[0 3]
# =>  [1 2]]
