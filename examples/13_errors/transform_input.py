"""
TypeError: img should be PIL Image. Got <class 'numpy.ndarray'>
===============================================================

Many transforms of torchvision take PIL images or tensors, not arrays, and ``Normalize`` float tensors
alone: put ``ToTensor``, or ``v2.ToImage`` with ``v2.ToDtype``, first, and ``Normalize`` behind it.

.. fix::

   - transforms.ColorJitter(0.5)(array)
   + chain = v2.Compose([v2.ToImage(), v2.ColorJitter(0.5), v2.ToDtype(torch.float32, scale=True)])
   + chain(array)
"""

# sphinx_gallery_tags = ["torchvision", "pillow", "image", "normalize", "error"]

import numpy as np
import torch
from PIL import Image
from torchvision import transforms
from torchvision.transforms import v2

# %%
# The error
# ---------
#
# These transforms refuse the array that OpenCV, imageio or scikit-image return, each in its own words.

array = np.zeros((4, 5, 3), dtype=np.uint8)
try:
    transforms.ColorJitter(0.5)(array)
except TypeError as error:
    print(error)
# => img should be PIL Image. Got <class 'numpy.ndarray'>
for transform in (transforms.Resize(4), transforms.RandomErasing(1.0)):
    try:
        transform(array)
    except TypeError as error:
        print(error)
# => Unexpected type <class 'numpy.ndarray'>
# => img should be Tensor Image. Got <class 'numpy.ndarray'>

# %%
# ``Normalize`` refuses a PIL image, an array, integers and an image without a channel axis.

normalize = transforms.Normalize(0.5, 0.5)
for given in (
    Image.new("RGB", (5, 4)),
    array,
    torch.zeros(3, 4, 5, dtype=torch.uint8),
    torch.zeros(4, 5),
):
    try:
        normalize(given)
    except (TypeError, ValueError) as error:
        print(error)
# => img should be Tensor Image. Got <class 'PIL.Image.Image'>
# => img should be Tensor Image. Got <class 'numpy.ndarray'>
# => Input tensor should be a float tensor. Got torch.uint8.
# => Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = torch.Size([4, 5])

# %%
# ``ToPILImage`` refuses ``int64``, which has no PIL image (:doc:`/gallery/13_errors/pillow_data_type`), and
# this array with its channels first.

for given in (np.zeros((4, 5), dtype=np.int64), array.transpose(2, 0, 1)):
    try:
        transforms.ToPILImage()(given)
    except (TypeError, ValueError) as error:
        print(error)
# => Input type int64 is not supported
# => pic should not have > 4 channels. Got 5 channels.

# %%
# The fix
# -------
#
# Convert the array once, at the start. ``ToDtype`` with ``scale=True`` divides ``uint8`` by 255.

chain = v2.Compose([v2.ToImage(), v2.ColorJitter(0.5), v2.ToDtype(torch.float32, scale=True)])
print(chain(array).shape, chain(array).dtype)
# => torch.Size([3, 4, 5]) torch.float32

# %%
# With the older transforms that is ``ToTensor``, or ``Image.fromarray`` for one that wants a PIL image.
# ``Normalize`` stands behind ``ToTensor``.

older = transforms.Compose([transforms.ToTensor(), transforms.Resize(4), normalize])
print(older(array).shape)
# => torch.Size([3, 4, 5])
print(transforms.ColorJitter(0.5)(Image.fromarray(array)).size)
# => (5, 4)

# %%
# A tensor of integers, as ``read_image`` returns it, is cast and scaled; a grey image gets its channel
# axis.

print(normalize(torch.zeros(3, 4, 5, dtype=torch.uint8).float() / 255).dtype)
# => torch.float32
print(normalize(torch.zeros(4, 5)[None]).shape)
# => torch.Size([1, 4, 5])

# %%
# What does not help
# ------------------
#
# ``v2`` alone: ``v2.Resize`` hands an array back as it came, without an error
# (:doc:`/gallery/12_files/torchvision_images`).

print(v2.Resize(2)(array).shape)
# => (4, 5, 3)
