"""
torchvision ToTensor and ToPILImage
===================================

``ToTensor`` moves the channels to the front and divides ``uint8`` by 255, but leaves the values of any
other dtype as they are; ``ToPILImage`` does the reverse.
"""

# sphinx_gallery_tags = ["torchvision", "pillow", "image", "layout", "silent"]

import numpy as np
from PIL import Image
from torchvision import transforms
from torchvision.transforms import v2

# %%
# An image of ``uint8``, from Pillow or as an array with the channels last, becomes ``float32`` from 0
# to 1 with the channels first.

image = Image.new("RGB", (3, 2), (255, 0, 0))
array = np.asarray(image)
tensor = transforms.ToTensor()(image)
print(array.shape, array.dtype, array.max())
# => (2, 3, 3) uint8 255
print(tensor.shape, tensor.dtype, tensor.max())
# => torch.Size([3, 2, 3]) torch.float32 tensor(1.)

# %%
# Only ``uint8`` is scaled. Pixels of another dtype keep their values and their dtype, so a cast before
# ``ToTensor`` leaves an image up to 255, and ``float64`` meets a model of ``float32``.

print(transforms.ToTensor()(array.astype(np.float32)).max())
# => tensor(255.)
print(transforms.ToTensor()(array / 255).dtype)
# => torch.float64

# %%
# ``PILToTensor`` keeps ``uint8``, and takes images only. ``convert_image_dtype`` scales afterwards.

whole = transforms.PILToTensor()(image)
print(whole.dtype, transforms.functional.convert_image_dtype(whole).max())
# => torch.uint8 tensor(1.)

# %%
# A grey array of two axes gets a channel axis. If it is ``float32``, nothing has to be converted, and
# the tensor is a view of the array: a write to one changes the other.

grey = np.zeros((2, 3), dtype=np.float32)
view = transforms.ToTensor()(grey)
view[0, 0, 0] = 1
print(view.shape, grey[0, 0])
# => torch.Size([1, 2, 3]) 1.0

# %%
# An array flipped by its strides is refused, as by :func:`torch.from_numpy`. Copy it:
# :doc:`/gallery/13_errors/negative_strides`.

try:
    transforms.ToTensor()(array[:, ::-1])
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(transforms.ToTensor()(array[:, ::-1].copy()).shape)
# => torch.Size([3, 2, 3])

# %%
# ``ToPILImage`` multiplies floating values by 255, so they must lie between 0 and 1. From a tensor it
# wants ``(channels, height, width)``, with one channel for a grey image; from an array the channels
# last.

print(np.asarray(transforms.ToPILImage()(tensor)).max())
# => 255
print(transforms.ToPILImage()(tensor[:1]).mode, transforms.ToPILImage()(array).size)
# => L (3, 2)

# %%
# With the axes in the other order nothing is raised as long as the numbers fit some mode of Pillow:
# here the height of two is taken for two channels.

print(transforms.ToPILImage()(tensor.permute(1, 2, 0)).mode)
# => LA

# %%
# The transforms of ``v2`` pass on what they do not know. An array comes back as it was, not resized
# and not converted; ``ToImage`` in front makes it an image.

print(v2.Resize(4)(array).shape, v2.Resize(4)(v2.ToImage()(array)).shape)
# => (2, 3, 3) torch.Size([3, 4, 6])
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
