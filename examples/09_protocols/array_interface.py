"""
Images and the array interface
==============================

Decide how pixels get from a tensor to Pillow and back, without passing one to the other directly.
"""

# sphinx_gallery_tags = ["pillow", "array-interface", "buffer", "error"]

import numpy as np
import torch
from PIL import Image

# %%
# Pillow reads `NumPy's array interface
# <https://numpy.org/doc/stable/reference/arrays.interface.html>`__, an attribute with address, shape
# and type. A tensor has no such attribute, and Pillow asks for nothing else.

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
# :func:`numpy.array` reads the interface that the picture offers in turn, and copies. Without a copy
# the pixels are read-only: :doc:`/gallery/12_files/pillow_images`.

restored = torch.from_numpy(np.array(image))
print(torch.equal(restored, pixels), np.asarray(image).flags.writeable)
# => True False

# %%
# The interface names a type as well, and Pillow takes what it knows: 64-bit integers, the default of
# torch, it does not.

try:
    Image.fromarray(torch.arange(6).reshape(2, 3).numpy())
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1), <i8

# %%
# And shape has a meaning there. Models keep colours in front, pictures at the end, so move the axis
# and make the memory follow.

channels_first = torch.zeros(3, 4, 5, dtype=torch.uint8)
channels_last = channels_first.permute(1, 2, 0).contiguous()
print(Image.fromarray(channels_last.numpy()).size)
# => (5, 4)
