"""
RuntimeError: Given groups=1, … expected input … to have 3 channels
===================================================================

The layer looks for the channels right after the batch, and your array has them last: move that axis
with ``permute``.

.. fix::

   - layer(torch.from_numpy(images))
   + batch = torch.from_numpy(images).permute(0, 3, 1, 2)
   + layer(batch)
"""

# sphinx_gallery_tags = ["layout", "image", "shape", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Images in NumPy have the channels last, a convolution wants them `right after the batch
# <https://docs.pytorch.org/docs/stable/generated/torch.nn.Conv2d.html>`__. The eight rows are taken
# for channels.

layer = torch.nn.Conv2d(3, 1, kernel_size=3)
images = np.zeros((2, 8, 9, 3), dtype=np.float32)
try:
    layer(torch.from_numpy(images))
except RuntimeError as error:
    print(error)
# => Given groups=1, weight of size [1, 3, 3, 3], expected input[2, 8, 9, 3] to have 3 channels, but got 8 channels instead

# %%
# A grey image that has no axis for the channel is refused by its number of axes.

grey = np.zeros((8, 9), dtype=np.float32)
try:
    layer(torch.from_numpy(grey))
except RuntimeError as error:
    print(error)
# => Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [8, 9]

# %%
# The fix
# -------
#
# :meth:`torch.Tensor.permute` moves the axis and copies nothing. The layer then sees 3 channels.

batch = torch.from_numpy(images).permute(0, 3, 1, 2)
print(layer(batch).shape)
# => torch.Size([2, 1, 6, 7])

# %%
# A single image of three axes is moved likewise. Without a batch axis a convolution takes it as it
# is; other layers and models want the axis, which ``[None]`` adds.

image = torch.from_numpy(images[0]).permute(2, 0, 1)
print(layer(image).shape, layer(image[None]).shape)
# => torch.Size([1, 6, 7]) torch.Size([1, 1, 6, 7])

# %%
# A grey image gets the axis by ``[None]``, and the channel three times for a model that was made for
# colours. ``expand`` needs no memory for that.

print(layer(torch.from_numpy(grey)[None].expand(3, -1, -1)).shape)
# => torch.Size([1, 6, 7])

# %%
# An image with transparency has one channel too many. Drop the last.

drawing = np.zeros((8, 9, 4), dtype=np.float32)
print(layer(torch.from_numpy(drawing[..., :3]).permute(2, 0, 1)).shape)
# => torch.Size([1, 6, 7])

# %%
# The same holds for sound, which is read as samples by channels: a
# :class:`torch.nn.Conv1d` wants ``(channels, samples)``. See :doc:`/gallery/12_files/audio_arrays`.

sound = np.zeros((100, 2), dtype=np.float32)
print(torch.nn.Conv1d(2, 1, kernel_size=3)(torch.from_numpy(sound).T).shape)
# => torch.Size([1, 98])

# %%
# What does not help
# ------------------
#
# ``reshape`` and ``view`` give the right shape and mix up the pixels: they read the values on in
# the order of memory.

pixels = torch.arange(2 * 2 * 3).reshape(2, 2, 3)
print(torch.equal(pixels.reshape(3, 2, 2), pixels.permute(2, 0, 1)))
# => False

# %%
# A layer for as many channels as there are rows runs, and learns nothing that fits another size of
# image.

print(torch.nn.Conv2d(8, 1, kernel_size=3)(torch.from_numpy(images)).shape)
# => torch.Size([2, 1, 7, 1])
