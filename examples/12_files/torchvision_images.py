"""
torchvision ToTensor and ToPILImage
===================================

``ToTensor`` moves the channels to the front and divides ``uint8`` by 255, but does not scale other
dtypes; ``ToPILImage`` moves the channels of a tensor back and by default multiplies floats by 255.
"""

# sphinx_gallery_tags = ["torchvision", "pillow", "image", "layout", "silent"]

import numpy as np
from PIL import Image
from torchvision import transforms
from torchvision.transforms import v2

# %%
# A ``uint8`` image, from Pillow or as an array with the channels last, becomes a tensor of the default
# dtype ``float32`` from 0 to 1, with the channels first.

image = Image.new("RGB", (3, 2), (255, 0, 0))
array = np.asarray(image)
tensor = transforms.ToTensor()(image)
print(array.shape, array.dtype, array.max())
# => (2, 3, 3) uint8 255
print(tensor.shape, tensor.dtype, tensor.max())
# => torch.Size([3, 2, 3]) torch.float32 tensor(1.)

# %%
# ``ToTensor`` scales ``uint8``. Floats keep their values and their dtype: if you cast before
# ``ToTensor``, the values go up to 255, and ``float64`` does not match a ``float32`` model.

print(transforms.ToTensor()(array.astype(np.float32)).max())
# => tensor(255.)
print(transforms.ToTensor()(array / 255).dtype)
# => torch.float64

# %%
# ``PILToTensor`` keeps the ``uint8`` of a Pillow image. ``convert_image_dtype`` scales afterwards.

whole = transforms.PILToTensor()(image)
print(whole.dtype, transforms.functional.convert_image_dtype(whole).max())
# => torch.uint8 tensor(1.)

# %%
# A grey array of two axes gets a channel axis. This ``float32`` array in C order is not converted.
# The tensor is a view of it: writing to one changes the other.

grey = np.zeros((2, 3), dtype=np.float32)
view = transforms.ToTensor()(grey)
view[0, 0, 0] = 1
print(view.shape, grey[0, 0])
# => torch.Size([1, 2, 3]) 1.0

# %%
# A flipped array with a negative stride raises, as in :func:`torch.from_numpy`. Copy it:
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
# Here ``ToPILImage`` multiplies floats by 255, so keep them between 0 and 1. Give a tensor the shape
# ``(channels, height, width)``, with one channel for a grey image, and put the channels of an array
# last.

print(np.asarray(transforms.ToPILImage()(tensor)).max())
# => 255
print(transforms.ToPILImage()(tensor[:1]).mode, transforms.ToPILImage()(array).size)
# => L (3, 2)

# %%
# With the axes in the wrong order, the call still works if the shape fits a mode of Pillow: here
# the height of two is treated as two channels.

print(transforms.ToPILImage()(tensor.permute(1, 2, 0)).mode)
# => LA

# %%
# Before release 0.8, ``Resize``, ``CenterCrop`` and other transforms of images accept PIL images
# alone, with ``img should be PIL Image. Got <class 'torch.Tensor'>`` for a tensor. Put ``ToTensor``
# behind them, or resize the tensor with :func:`torch.nn.functional.interpolate`.
#
# ``Resize`` and many other transforms of ``v2`` return an array unchanged, neither resized nor
# converted. Some, such as ``RandomCrop``, raise. Put ``ToImage`` first to make it an image.

print(v2.Resize(4)(array).shape, v2.Resize(4)(v2.ToImage()(array)).shape)
# => (2, 3, 3) torch.Size([3, 4, 6])
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
