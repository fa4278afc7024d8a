"""
RuntimeError: The size of tensor a (4) must match the size of tensor b
======================================================================

``Normalize`` has three means, but the image has four channels (RGBA), two or one: open it with
``convert("RGB")``.

.. fix::

   - normalize(to_tensor(image))
   + normalize(to_tensor(image.convert("RGB")))
"""

# sphinx_gallery_tags = ["image", "pillow", "normalize", "shape", "error"]

import numpy as np
import torch
from PIL import Image

# %%
# The error
# ---------
#
# A PNG file often has an alpha channel, so its array has four channels. The two functions do what
# ``ToTensor`` and ``Normalize`` of torchvision do: three means for the channels, subtracted in place.


def to_tensor(image):
    array = np.array(image)
    array = array[..., None] if array.ndim == 2 else array
    return torch.from_numpy(array).permute(2, 0, 1).float() / 255


def normalize(tensor):
    mean = torch.tensor([0.485, 0.456, 0.406])
    std = torch.tensor([0.229, 0.224, 0.225])
    return tensor.sub_(mean[:, None, None]).div_(std[:, None, None])


image = Image.new("RGBA", (6, 5), (255, 0, 0, 128))
print(to_tensor(image).shape)
# => torch.Size([4, 5, 6])
try:
    normalize(to_tensor(image))
except RuntimeError as error:
    print(error)
# => The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0

# %%
# A grey image has one channel. It fits three means, but the result has three channels, and there is no
# room for them in place. This is the message for MNIST with the means of ImageNet.

gray = image.convert("L")
try:
    normalize(to_tensor(gray))
except RuntimeError as error:
    print(error)
# => output with shape [1, 5, 6] doesn't match the broadcast shape [3, 5, 6]

# %%
# NumPy has other words for it.

try:
    np.array(image) - np.array([0.485, 0.456, 0.406])
except ValueError as error:
    print(error)
# => operands could not be broadcast together with shapes (5,6,4) (3,)

# %%
# The fix
# -------
#
# Convert the mode when you open the file: ``Image.open(path).convert("RGB")``. The modes below are
# grey, palette, CMYK, grey with an alpha channel, and black and white.

print(normalize(to_tensor(image.convert("RGB"))).shape)
# => torch.Size([3, 5, 6])
print(normalize(to_tensor(gray.convert("RGB"))).shape)
# => torch.Size([3, 5, 6])
for mode in ("P", "CMYK", "LA", "1"):
    print(mode, np.array(image.convert(mode).convert("RGB")).shape)
# => P (5, 6, 3)
# => CMYK (5, 6, 3)
# => LA (5, 6, 3)
# => 1 (5, 6, 3)

# %%
# From an array or a tensor, take the first three channels, or repeat the only one. By default OpenCV
# reads three channels; ``IMREAD_UNCHANGED`` keeps a fourth.

array = np.array(image)
print(array[..., :3].shape, to_tensor(image)[:3].shape)
# => (5, 6, 3) torch.Size([3, 5, 6])
print(to_tensor(gray).expand(3, -1, -1).shape)
# => torch.Size([3, 5, 6])

# %%
# If the model takes one channel, pass one mean: ``Normalize([0.5], [0.5])``. For the image processors of
# transformers see :doc:`/gallery/12_files/image_processors`.

print(((to_tensor(gray) - 0.5) / 0.5).shape)
# => torch.Size([1, 5, 6])

# %%
# What does not help
# ------------------
#
# ``reshape`` to three channels runs if the number of values fits, and mixes up the pixels.

mixed = to_tensor(image).reshape(3, 5, 8)
print(mixed[:, 0, 0])
# => tensor([1., 0., 0.])

# %%
# Adding axes to the mean, as for :doc:`an image whose channels moved
# </gallery/13_errors/broadcast_shapes>`, does not help: three values do not fit four channels.

try:
    to_tensor(image) - torch.zeros(3)[:, None, None]
except RuntimeError as error:
    print(error)
# => The size of tensor a (4) must match the size of tensor b (3) at non-singleton dimension 0

# %%
# Without ``normalize`` the image reaches the layer, which raises in its own words.

try:
    torch.nn.Conv2d(3, 8, kernel_size=3)(to_tensor(image)[None])
except RuntimeError as error:
    print(error)
# => Given groups=1, weight of size [8, 3, 3, 3], expected input[1, 4, 5, 6] to have 3 channels, but got 4 channels instead
