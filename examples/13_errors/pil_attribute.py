"""
AttributeError: 'Image' object has no attribute 'shape'
=======================================================

A PIL image is not an array: make it one with ``np.array(image)``, then
``torch.from_numpy``; its width and height are ``image.size``.

.. fix::

   - image.shape
   + array = np.array(image)
   + tensor = torch.from_numpy(array).permute(2, 0, 1)
   + Image.fromarray(array)
"""

# sphinx_gallery_tags = ["pillow", "image", "layout", "error"]

import io

import numpy as np
import torch
from PIL import Image

# %%
# The error
# ---------
#
# Code that was written for arrays or tensors gets a PIL image, often because a transform was left out.
# An image that was opened from a file has a class of its own, such as ``JpegImageFile`` or
# ``PngImageFile``.

image = Image.new("RGB", (3, 2), (255, 0, 0))
file = io.BytesIO()
image.save(file, format="PNG")
try:
    image.shape
except AttributeError as error:
    print(error)
# => 'Image' object has no attribute 'shape'
opened = Image.open(file)
for value, name in ((opened, "unsqueeze"), (image, "astype"), (image, "to")):
    try:
        getattr(value, name)
    except AttributeError as error:
        print(error)
# => 'PngImageFile' object has no attribute 'unsqueeze'
# => 'Image' object has no attribute 'astype'
# => 'Image' object has no attribute 'to'

# %%
# It happens in the other direction too: ``convert``, ``save`` and ``crop`` belong to the image.

array = np.zeros((2, 3, 3), dtype=np.uint8)
tensor = torch.zeros(3, 2, 3, dtype=torch.uint8)
for value, name in ((array, "convert"), (tensor, "convert"), (array, "save"), (tensor, "save")):
    try:
        getattr(value, name)
    except AttributeError as error:
        print(error)
# => 'numpy.ndarray' object has no attribute 'convert'
# => 'Tensor' object has no attribute 'convert'
# => 'numpy.ndarray' object has no attribute 'save'
# => 'Tensor' object has no attribute 'save'

# %%
# The fix
# -------
#
# ``np.array`` of an RGB image gives height, width and channels as ``uint8``; ``Conv2d`` wants the
# channels first, and for a batch one axis more. ``ToTensor`` of torchvision puts them first and
# divides by 255.

array = np.array(image)
print(array.shape, array.dtype, image.size)
# => (2, 3, 3) uint8 (3, 2)
tensor = torch.from_numpy(array).permute(2, 0, 1)
print(tensor.shape, (tensor[None].float() / 255).shape)
# => torch.Size([3, 2, 3]) torch.Size([1, 3, 2, 3])

# %%
# Back to an image: ``Image.fromarray`` of a ``uint8`` array with the channels last. Then its methods are
# there.

print(Image.fromarray(array).convert("L").mode)
# => L
print(Image.fromarray(tensor.permute(1, 2, 0).numpy()).size)
# => (3, 2)

# %%
# In a dataset the order of the transforms decides what arrives: those for PIL images first, then
# ``ToTensor``, then those for tensors. ``transforms.Normalize`` before ``ToTensor`` says
# ``img should be Tensor Image. Got <class 'PIL.Image.Image'>``:
# :doc:`/gallery/13_errors/pil_image_or_ndarray`. OpenCV and Albumentations take arrays:
# :doc:`/gallery/12_files/albumentations_images`.

# %%
# What does not help
# ------------------
#
# ``torch.from_numpy`` wants an array, and ``torch.tensor`` does not read an image as one.

try:
    torch.from_numpy(image)
except TypeError as error:
    print(error)
# => expected np.ndarray (got Image)
