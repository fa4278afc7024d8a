"""
TypeError: pic should be PIL Image or ndarray
=============================================

``ToTensor`` raises for a tensor, often because it ran twice: remove it there, or use ``v2.ToImage``,
which accepts images, arrays and tensors.

.. fix::

   - transforms.ToTensor()(pixels)
   + to_float = v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
   + to_float(given)
"""

# sphinx_gallery_tags = ["torchvision", "pillow", "image", "error"]

import numpy as np
import torch
from PIL import Image
from torchvision import transforms
from torchvision.transforms import v2

# %%
# The error
# ---------
#
# ``transforms.ToTensor`` raises for a tensor, so also if it comes second in a chain, or if the
# dataset already returns tensors.

image = Image.new("RGB", (3, 2), (255, 0, 0))
pixels = transforms.ToTensor()(image)
try:
    transforms.ToTensor()(pixels)
except TypeError as error:
    print(error)
# => pic should be PIL Image or ndarray. Got <class 'torch.Tensor'>

# %%
# ``ToPILImage`` has a similar message for the other direction: it accepts tensors and arrays, but
# no images and no whole batch.

try:
    transforms.ToPILImage()(image)
except TypeError as error:
    print(error)
# => pic should be Tensor or ndarray. Got <class 'PIL.Image.Image'>.
try:
    transforms.ToPILImage()(pixels[None])
except ValueError as error:
    print(error)
# => pic should be 2/3 dimensional. Got 4 dimensions.

# %%
# The fix
# -------
#
# Convert once, at the start. ``Resize`` and ``Normalize`` accept tensors.

chain = transforms.Compose(
    [transforms.ToTensor(), transforms.Resize(4), transforms.Normalize(0.5, 0.5)]
)
print(chain(image).shape)
# => torch.Size([3, 4, 6])

# %%
# If images, arrays and tensors are mixed, use ``v2``, which accepts all three. ``ToImage`` does not
# scale or cast, so add ``ToDtype``.

to_float = v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
for given in (image, np.asarray(image), pixels):
    print(to_float(given).shape, to_float(given).max())
# => torch.Size([3, 2, 3]) tensor(1.)
# => torch.Size([3, 2, 3]) tensor(1.)
# => torch.Size([3, 2, 3]) tensor(1.)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.

# %%
# For ``ToPILImage``, pick one image from the batch. One channel of the shape ``(1, H, W)`` gives a
# grey image.

print(transforms.ToPILImage()(pixels[None][0]).size, transforms.ToPILImage()(pixels[:1]).mode)
# => (3, 2) L

# %%
# ``Resize`` and ``Normalize`` raise for this array, so convert it first.

array = np.asarray(image)
try:
    transforms.Resize(4)(array)
except TypeError as error:
    print(error)
# => Unexpected type <class 'numpy.ndarray'>
try:
    transforms.Normalize(0.5, 0.5)(array)
except TypeError as error:
    print(error)
# => img should be Tensor Image. Got <class 'numpy.ndarray'>
print(transforms.Resize(4)(transforms.ToTensor()(array)).shape)
# => torch.Size([3, 4, 6])
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.

# %%
# What does not help
# ------------------
#
# ``numpy()`` gives an array with the channels first, and ``ToTensor`` treats that axis as the
# height. The call works, but the axes are wrong.

print(pixels.shape, transforms.ToTensor()(pixels.numpy()).shape)
# => torch.Size([3, 2, 3]) torch.Size([3, 3, 2])

# %%
# ``Resize`` of ``v2`` does not raise for an array, but returns it unchanged. See
# :doc:`/gallery/12_files/torchvision_images`.

print(v2.Resize(4)(array).shape)
# => (2, 3, 3)
