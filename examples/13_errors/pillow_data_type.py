"""
TypeError: Cannot handle this data type: (1, 1, 3), <f4
=======================================================

``Image.fromarray`` has no mode for this dtype with these channels: make the array ``uint8``, with the
channels last and without an axis of length one.

.. fix::

   - Image.fromarray(unit_floats)
   + Image.fromarray((unit_floats * 255).round().clip(0, 255).astype(np.uint8))
   + Image.fromarray((sixteen_bits // 257).astype(np.uint8))
   + Image.fromarray(channels_first.transpose(1, 2, 0))
   + Image.fromarray(one_channel[..., 0])
"""

# sphinx_gallery_tags = ["pillow", "torchvision", "image", "dtype", "layout", "error"]

import numpy as np
import torch
from PIL import Image

# %%
# The error
# ---------
#
# The message shows 1, 1, the lengths of the axes after these two, and the dtype, as in
# ``array.dtype.str``. Three channels of ``<f4``, which is ``float32``: Pillow has no colour mode
# for floats.

unit_floats = torch.rand(2, 5, 3).numpy()
try:
    Image.fromarray(unit_floats)
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1, 3), <f4

# %%
# ``<u2`` is ``uint16``, as OpenCV reads a PNG of 16 bits with ``IMREAD_UNCHANGED``. Pillow has a
# mode for one such channel, but not for three.

sixteen_bits = np.full((2, 5, 3), 65535, dtype=np.uint16)
try:
    Image.fromarray(sixteen_bits)
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1, 3), <u2
print(Image.fromarray(sixteen_bits[..., 0]).mode)
# => I;16

# %%
# If the dtype is ``|u1``, which is ``uint8``, the shape is wrong. Here it has the channels first, an
# axis of length one for a grey image, or a whole batch.

channels_first = torch.zeros(3, 2, 5, dtype=torch.uint8).numpy()
one_channel = np.zeros((2, 5, 1), dtype=np.uint8)
for array in (channels_first, one_channel, np.zeros((4, 2, 5, 3), dtype=np.uint8)):
    try:
        Image.fromarray(array)
    except TypeError as error:
        print(error)
# => Cannot handle this data type: (1, 1, 5), |u1
# => Cannot handle this data type: (1, 1, 1), |u1
# => Cannot handle this data type: (1, 1, 5, 3), |u1

# %%
# Labels in torch are often ``int64``, and a mask of several channels may be ``bool``. For ``int64``
# torchvision's ``ToPILImage`` says ``Input type int64 is not supported``.

for array in (np.zeros((2, 5), dtype=np.int64), np.zeros((2, 5, 3), dtype=bool)):
    try:
        Image.fromarray(array)
    except TypeError as error:
        print(error)
# => Cannot handle this data type: (1, 1), <i8
# => Cannot handle this data type: (1, 1, 3), |b1

# %%
# The fix
# -------
#
# Floats from 0 to 1 are multiplied by 255 and rounded; a cast alone would make them black
# (:doc:`/gallery/12_files/pillow_from_floats`).

image = Image.fromarray((unit_floats * 255).round().clip(0, 255).astype(np.uint8))
print(image.mode, image.size)
# => RGB (5, 2)

# %%
# 16 bits are divided by 257, because 65535 is 257 times 255. A cast alone keeps the low byte.

print(np.array(Image.fromarray((sixteen_bits // 257).astype(np.uint8))).max())
# => 255

# %%
# Move the channels last, drop the axis of a grey image, and take one image of a batch.

print(Image.fromarray(channels_first.transpose(1, 2, 0)).mode)
# => RGB
print(Image.fromarray(one_channel[..., 0]).mode)
# => L

# %%
# A mask of up to 256 classes fits into ``uint8``, for ``ToPILImage`` too; a ``bool`` mask of two axes has the mode ``1``.

mask = np.array([[0, 3], [1, 2]])
print(Image.fromarray(mask.astype(np.uint8)).mode, Image.fromarray(mask > 0).mode)
# => L 1

# %%
# What does not help
# ------------------
#
# ``astype(np.uint8)`` removes the message, not the fault: these floats below 1 become 0 and 16 bits
# lose their high byte.

print(unit_floats.astype(np.uint8).max(), (sixteen_bits - 256).astype(np.uint8).max())
# => 0 255
