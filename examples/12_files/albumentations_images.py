"""
Albumentations: TypeError: image must be numpy array type
=========================================================

Albumentations works on NumPy arrays of height, width and channels: convert a tensor with
``permute(1, 2, 0).cpu().numpy()`` and a PIL image with ``np.array``, and put ``ToTensorV2`` last.
"""

# sphinx_gallery_tags = ["albumentations", "opencv", "pillow", "image", "layout", "dtype", "error"]

import cv2
import numpy as np
import torch
from PIL import Image

# %%
# The error
# ---------
#
# ``image must be numpy array type`` and ``mask must be numpy array type`` mean that a tensor or a PIL
# image was passed. Without that check, OpenCV would refuse it, as ``GaussianBlur`` does here. A
# transform that stands behind ``ToTensorV2`` gets a tensor, too.

tensor = torch.rand(3, 4, 5)
try:
    cv2.GaussianBlur(tensor, (3, 3), 0)
except cv2.error as error:
    print(str(error).strip().splitlines()[-2])
# => >  - src is not a numpy array, neither a scalar

# %%
# The fix
# -------
#
# Move the channels to the end and convert, before ``transform(image=array)``. The call takes names:
# without ``image=`` it says ``You have to pass data to augmentations as named arguments``.

array = tensor.permute(1, 2, 0).cpu().numpy()
print(array.shape, array.dtype)
# => (4, 5, 3) float32
print(np.array(Image.new("RGB", (5, 4))).shape)
# => (4, 5, 3)

# %%
# ``uint8`` from 0 to 255 and ``float32`` from 0 to 1 are the dtypes that the transforms know. Others go as
# far as OpenCV, where ``resize`` raises for the ``int64`` of labels.

labels = np.ones((4, 5), dtype=np.int64)
try:
    cv2.resize(labels, (2, 2))
except cv2.error as error:
    print(str(error).partition("error: ")[2].strip())
# => (-215:Assertion failed) func != 0 in function 'resize'
print(cv2.resize(labels.astype(np.uint8), (2, 2), interpolation=cv2.INTER_NEAREST))
# => [[1 1]
# =>  [1 1]]

# %%
# A mask has the same height and width as its image, and no channel axis in front: ``Height and Width of
# image, mask or masks should be equal``. Values for an image of
# 8 bits are scaled first, because a cast makes 0 of what is below 1.

pixels = (array * 255).round().astype(np.uint8)
print(pixels.shape[:2] == labels.shape, pixels.dtype)
# => True uint8

# %%
# What ``ToTensorV2`` does
# ------------------------
#
# It moves the channels of the image to the front and calls ``from_numpy``. It does not divide by 255: a
# ``uint8`` image stays ``uint8`` unless a transform such as ``Normalize`` stands before it. Of a layer that is the error
# of :doc:`/gallery/13_errors/input_and_bias_type`.

as_tensor = torch.from_numpy(pixels.transpose(2, 0, 1))
print(as_tensor.shape, as_tensor.dtype)
# => torch.Size([3, 4, 5]) torch.uint8
print((as_tensor.float() / 255).max() <= 1)
# => tensor(True)

# %%
# ``transform(image=array)`` returns a dictionary: take ``["image"]`` and ``["mask"]`` before the batch is
# made.

sample = {"image": as_tensor, "mask": torch.from_numpy(labels)}
print(sample["image"].shape, sample["mask"].shape)
# => torch.Size([3, 4, 5]) torch.Size([4, 5])

# %%
# What does not help
# ------------------
#
# ``np.array(tensor)`` alone keeps the channels first. A resize then takes the three channels for
# the height, without an error.

print(cv2.resize(tensor.numpy(), (2, 2)).shape)
# => (2, 2, 5)
