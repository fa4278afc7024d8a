"""
Image.fromarray(tensor) and the array interface
===============================================

Pillow's ``Image.fromarray`` does not accept a tensor: pass it ``tensor.numpy()``, and convert back
with ``torch.from_numpy(np.array(image))``.
"""

# sphinx_gallery_tags = ["pillow", "array-interface", "buffer", "error"]

import numpy as np
import torch
from PIL import Image

# %%
# Pillow's ``fromarray`` reads `NumPy's array interface
# <https://numpy.org/doc/stable/reference/arrays.interface.html>`__, an attribute with the address,
# shape and type of the data. A tensor lacks this attribute, and ``fromarray`` does not try another
# protocol.

pixels = torch.arange(6, dtype=torch.uint8).reshape(2, 3)
try:
    Image.fromarray(pixels)
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute '__array_interface__'

# %%
# The array from :meth:`torch.Tensor.numpy` has this attribute. Pillow's ``size`` gives the width
# first.

image = Image.fromarray(pixels.numpy())
print(image.size, image.mode, tuple(pixels.shape))
# => (3, 2) L (2, 3)

# %%
# To make a tensor of an image, two obvious calls fail: an image is neither an array nor, for
# :func:`torch.tensor`, a sequence of numbers.

try:
    torch.from_numpy(image)
except TypeError as error:
    print(error)
# => expected np.ndarray (got Image)
try:
    torch.tensor(image)
except (RuntimeError, TypeError, ValueError) as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# An image has an array interface too. :func:`numpy.array` reads it and copies;
# :func:`numpy.asarray` gives the pixels as a read-only array:
# :doc:`/gallery/12_files/pillow_images`.

restored = torch.from_numpy(np.array(image))
print(torch.equal(restored, pixels), np.asarray(image).flags.writeable)
# => True False

# %%
# The dtype matters as well. Pillow has no mode for 64-bit integers, which are torch's default for
# whole numbers.

try:
    Image.fromarray(torch.arange(6).reshape(2, 3).numpy())
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1), <i8

# %%
# The order of the axes matters too. Here the tensor has the colour axis first. Pillow expects it
# last, so move it. Pillow copies an array that is not contiguous; ``contiguous`` makes that copy
# visible in your code.

channels_first = torch.zeros(3, 4, 5, dtype=torch.uint8)
channels_last = channels_first.permute(1, 2, 0).contiguous()
print(Image.fromarray(channels_last.numpy()).size)
# => (5, 4)
