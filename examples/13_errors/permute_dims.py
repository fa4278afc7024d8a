"""
RuntimeError: permute… number of dimensions … does not match
============================================================

``permute`` names every axis once, and this tensor has fewer or more: a grey image has no channel
axis to move, so add one with ``[None]``.

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
# A file of grey pixels becomes an array of height and width. Code that was written for colours
# names three axes. Older releases said ``number of dims don't match in permute``.

grey = np.zeros((4, 5), dtype=np.uint8)
tensor = torch.from_numpy(grey)
try:
    tensor.permute(2, 0, 1)
except RuntimeError as error:
    print(error)
# => permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = 2 is not equal to len(dims) = 3

# %%
# NumPy's ``transpose`` says it in other words.

try:
    np.transpose(grey, (2, 0, 1))
except ValueError as error:
    print(error)
# => axes don't match array

# %%
# The fix
# -------
#
# Add the axis in front, where it would have been moved to.

print(tensor[None].shape)
# => torch.Size([1, 4, 5])

# %%
# In a loader for both kinds give every image three axes as soon as it is read.


def to_channels_first(array):
    if array.ndim == 2:
        array = array[..., None]
    return torch.from_numpy(array).permute(2, 0, 1)


print(to_channels_first(grey).shape, to_channels_first(np.zeros((4, 5, 3))).shape)
# => torch.Size([1, 4, 5]) torch.Size([3, 4, 5])

# %%
# A model for colours wants the grey channel three times. ``expand`` repeats it without memory.

print(tensor.expand(3, -1, -1).shape)
# => torch.Size([3, 4, 5])

# %%
# A batch has one axis more than an image. Name it too, or move an axis by its position from the
# end, which fits both.

batch = torch.zeros(2, 4, 5, 3)
print(batch.permute(0, 3, 1, 2).shape, batch.movedim(-1, -3).shape, batch[0].movedim(-1, -3).shape)
# => torch.Size([2, 3, 4, 5]) torch.Size([2, 3, 4, 5]) torch.Size([3, 4, 5])

# %%
# What does not help
# ------------------
#
# ``transpose`` names fewer axes, so it is not refused, and lays the image on its side.

print(tensor.transpose(0, 1).shape)
# => torch.Size([5, 4])

# %%
# ``squeeze`` after the reading is often the cause, not the cure: it removes the channel axis of a
# grey image, and the batch axis of a single one.

print(torch.zeros(1, 4, 5).squeeze().shape, torch.zeros(1, 1, 4, 5).squeeze().shape)
# => torch.Size([4, 5]) torch.Size([4, 5])

# %%
# ``reshape`` to three channels needs as many pixels as a colour image has.

try:
    tensor.reshape(3, 4, 5)
except RuntimeError as error:
    print(error)
# => shape '[3, 4, 5]' is invalid for input of size 20
