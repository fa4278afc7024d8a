"""
RuntimeError: permute… number of dimensions … does not match
============================================================

``permute`` names more or fewer axes than this tensor has: a grey image has no channel axis, so add
one with ``[None]``.

.. fix::

   - tensor.permute(2, 0, 1)
   + tensor[None]
"""

# sphinx_gallery_tags = ["layout", "image", "shape", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# This grey image is an array of height and width, but code written for colours names three axes.
# The message in older releases is ``number of dims don't match in permute``.

grey = np.zeros((4, 5), dtype=np.uint8)
tensor = torch.from_numpy(grey)
try:
    tensor.permute(2, 0, 1)
except RuntimeError as error:
    print(error)
# => permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 3

# %%
# NumPy's ``transpose`` has a different message.

try:
    np.transpose(grey, (2, 0, 1))
except ValueError as error:
    print(error)
# => axes don't match array

# %%
# The fix
# -------
#
# Add the channel axis in front, where ``permute`` would have moved it.

print(tensor[None].shape)
# => torch.Size([1, 4, 5])

# %%
# If a loader reads grey and colour images, give the images three axes as soon as they are read.


def to_channels_first(array):
    if array.ndim == 2:
        array = array[..., None]
    return torch.from_numpy(array).permute(2, 0, 1)


print(to_channels_first(grey).shape, to_channels_first(np.zeros((4, 5, 3))).shape)
# => torch.Size([1, 4, 5]) torch.Size([3, 4, 5])

# %%
# If the model expects colours, repeat the grey channel three times with ``expand``, which does not
# copy it.

print(tensor.expand(3, -1, -1).shape)
# => torch.Size([3, 4, 5])

# %%
# A batch has one more axis than an image. Name all four axes, or use ``movedim`` with positions
# counted from the end, which works for both.

batch = torch.zeros(2, 4, 5, 3)
print(batch.permute(0, 3, 1, 2).shape, batch.movedim(-1, -3).shape, batch[0].movedim(-1, -3).shape)
# => torch.Size([2, 3, 4, 5]) torch.Size([2, 3, 4, 5]) torch.Size([3, 4, 5])

# %%
# What does not help
# ------------------
#
# ``transpose(0, 1)`` does not raise, but it turns the image on its side.

print(tensor.transpose(0, 1).shape)
# => torch.Size([5, 4])

# %%
# ``squeeze`` after loading an image can be the cause. It removes the channel axis of a grey image,
# and the batch axis if the batch has one image.

print(torch.zeros(1, 4, 5).squeeze().shape, torch.zeros(1, 1, 4, 5).squeeze().shape)
# => torch.Size([4, 5]) torch.Size([4, 5])

# %%
# ``reshape`` to three channels needs three times as many values as a grey image has.

try:
    tensor.reshape(3, 4, 5)
except RuntimeError as error:
    print(error)
# => shape '[3, 4, 5]' is invalid for input of size 20
