"""
RuntimeError: Given groups=1, … expected input … to have 3 channels
===================================================================

The layer expects the channels right after the batch, and your array has them last: move that axis
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
# These images have the channels last, but a convolution expects them `right after the batch
# <https://docs.pytorch.org/docs/stable/generated/torch.nn.Conv2d.html>`__. Here it treats the eight
# rows as channels.

layer = torch.nn.Conv2d(3, 1, kernel_size=3)
images = np.zeros((2, 8, 9, 3), dtype=np.float32)
try:
    layer(torch.from_numpy(images))
except RuntimeError as error:
    print(error)
# => Given groups=1, weight of size [1, 3, 3, 3], expected input[2, 8, 9, 3] to have 3 channels, but got 8 channels instead

# %%
# This grey image has no channel axis, so it has too few axes and raises as well.

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
# :meth:`torch.Tensor.permute` moves the axis and returns a view. The layer then sees 3 channels.

batch = torch.from_numpy(images).permute(0, 3, 1, 2)
print(layer(batch).shape)
# => torch.Size([2, 1, 6, 7])

# %%
# Permute a single image in the same way. A convolution accepts it without a batch axis; for a model
# that needs the axis, add it with ``[None]``.

image = torch.from_numpy(images[0]).permute(2, 0, 1)
print(layer(image).shape, layer(image[None]).shape)
# => torch.Size([1, 6, 7]) torch.Size([1, 1, 6, 7])

# %%
# For a grey image, add the channel axis with ``[None]``. If the model expects colours, repeat the
# channel three times; ``expand`` does so without using memory.

print(layer(torch.from_numpy(grey)[None].expand(3, -1, -1)).shape)
# => torch.Size([1, 6, 7])

# %%
# A colour image may have a fourth channel, for transparency. Drop it.

drawing = np.zeros((8, 9, 4), dtype=np.float32)
print(layer(torch.from_numpy(drawing[..., :3]).permute(2, 0, 1)).shape)
# => torch.Size([1, 6, 7])

# %%
# Sound has the same problem: soundfile reads a stereo file as ``(samples, channels)``, and
# :class:`torch.nn.Conv1d` expects ``(channels, samples)``. See
# :doc:`/gallery/12_files/audio_arrays`.

sound = np.zeros((100, 2), dtype=np.float32)
print(torch.nn.Conv1d(2, 1, kernel_size=3)(torch.from_numpy(sound).T).shape)
# => torch.Size([1, 98])

# %%
# What does not help
# ------------------
#
# ``reshape`` gives this image the right shape but mixes up its pixels, because it keeps the order of
# the values.

pixels = torch.arange(2 * 2 * 3).reshape(2, 2, 3)
print(torch.equal(pixels.reshape(3, 2, 2), pixels.permute(2, 0, 1)))
# => False

# %%
# If you give the layer as many input channels as the image has rows, it runs for images of that
# height.

print(torch.nn.Conv2d(8, 1, kernel_size=3)(torch.from_numpy(images)).shape)
# => torch.Size([2, 1, 7, 1])
