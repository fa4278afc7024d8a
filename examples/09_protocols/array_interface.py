"""
Image.fromarray(tensor) and the array interface
===============================================

Pillow's ``Image.fromarray`` takes no tensor: pass it ``tensor.numpy()``, and come back with
``torch.from_numpy(np.array(image))``.
"""

# sphinx_gallery_tags = ["pillow", "array-interface", "buffer", "error"]

import numpy as np
import torch
from PIL import Image

# %%
# Pillow's ``fromarray`` reads `NumPy's array interface
# <https://numpy.org/doc/stable/reference/arrays.interface.html>`__, an attribute with address,
# shape and type. A tensor has no such attribute, and ``fromarray`` asks for no other protocol.

pixels = torch.arange(6, dtype=torch.uint8).reshape(2, 3)
try:
    Image.fromarray(pixels)
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute '__array_interface__'

# %%
# The array from :meth:`torch.Tensor.numpy` has it. Pillow counts width first.

image = Image.fromarray(pixels.numpy())
print(image.size, image.mode, tuple(pixels.shape))
# => (3, 2) L (2, 3)

# %%
# The other direction has two wrong turns. A picture is no array, and for :func:`torch.tensor` it is
# no sequence of numbers either.

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
# An image offers the same interface in turn. :func:`numpy.array` reads it and copies;
# :func:`numpy.asarray` gives the pixels as a read-only array:
# :doc:`/gallery/12_files/pillow_images`.

restored = torch.from_numpy(np.array(image))
print(torch.equal(restored, pixels), np.asarray(image).flags.writeable)
# => True False

# %%
# The interface names a type as well, and Pillow has no mode for 64-bit integers, which are what
# torch makes of whole numbers unless told otherwise.

try:
    Image.fromarray(torch.arange(6).reshape(2, 3).numpy())
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1), <i8

# %%
# And the order of the axes has a meaning. Models keep the colours in front, pictures at the end,
# so move the axis. Pillow copies an array that has gaps or another order; ``contiguous`` makes
# that copy visible.

channels_first = torch.zeros(3, 4, 5, dtype=torch.uint8)
channels_last = channels_first.permute(1, 2, 0).contiguous()
print(Image.fromarray(channels_last.numpy()).size)
# => (5, 4)
