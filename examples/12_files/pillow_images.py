"""
PIL image to a tensor
=====================

Make the tensor from ``np.array(image)``, which is writable; ``np.asarray(image)`` is read-only, and
``torch.from_numpy`` warns about it. Convert palette images to ``RGB`` first.
"""

# sphinx_gallery_tags = ["pillow", "image", "read-only"]

import numpy as np
import torch
from PIL import Image

# %%
# A Pillow image is not an array, so these two calls raise. :func:`torch.tensor` only says that it
# could not find a dtype.

image = Image.new("RGB", (4, 2), color=(200, 100, 0))
try:
    torch.from_numpy(image)
except TypeError as error:
    print(error)
# => expected np.ndarray (got Image)
try:
    torch.tensor(image)
except RuntimeError as error:
    print(error)
# => Could not infer dtype of Image

# %%
# :func:`numpy.asarray` returns a read-only array, :func:`numpy.array` a writable one. The shape of
# both starts with the rows, while ``image.size`` is width by height.

fixed, free = np.asarray(image), np.array(image)
print(fixed.flags.writeable, free.flags.writeable)
# => False True
print(image.size, fixed.shape, fixed.dtype)
# => (4, 2) (2, 4, 3) uint8

# %%
# The read-only array causes a warning when torch shares it:
# :doc:`/gallery/13_errors/read_only_array`.

shared = torch.from_numpy(fixed)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.

# %%
# Writing to the tensor would not change the image anyway: the array uses a copy of the bytes.

shared[0, 0] = 7
print(image.getpixel((0, 0)))
# => (200, 100, 0)

# %%
# Use ``np.array`` and share its result: it is a copy that you may change. Then move the channels to
# the front and scale.

tensor = torch.from_numpy(np.array(image)).permute(2, 0, 1).float() / 255
print(tensor.shape, tensor[:, 0, 0])
# => torch.Size([3, 2, 4]) tensor([0.7843, 0.3922, 0.0000])

# %%
# The mode decides the shape. A palette image has one channel with indices instead of colours, and
# an image in mode ``RGBA`` has four channels. Convert the mode first.

palette = image.convert("P")
print(np.array(palette).shape)
# => (2, 4)
print(np.array(palette.convert("RGB")).shape, np.array(image.convert("RGBA")).shape)
# => (2, 4, 3) (2, 4, 4)
