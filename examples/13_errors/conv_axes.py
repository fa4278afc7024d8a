"""
RuntimeError: Expected 2D (unbatched) or 3D (batched) input to conv1d
=====================================================================

This input has an axis too many, because a stereo file is passed to a model for one channel: take the
mean over the channels.

.. fix::

   - model(torch.from_numpy(stereo)[None])
   + mono = torch.from_numpy(stereo).mean(dim=1)
   + model(mono[None])
"""

# sphinx_gallery_tags = ["audio", "layout", "shape", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# This model takes ``(batch, samples)`` and adds an axis for its one channel. soundfile and SciPy
# return ``(samples, channels)`` for a stereo file, so the channels become a fourth axis.


def model(batch):
    return torch.nn.Conv1d(1, 4, kernel_size=3)(batch[:, None])


stereo = np.zeros((16_000, 2), dtype=np.float32)
try:
    model(torch.from_numpy(stereo)[None])
except RuntimeError as error:
    print(error)
# => Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of size: [1, 1, 16000, 2]

# %%
# The fix
# -------
#
# Average the two channels into one. The batch then has two axes.

mono = torch.from_numpy(stereo).mean(dim=1)
print(model(mono[None]).shape)
# => torch.Size([1, 4, 15998])

# %%
# By default soundfile and SciPy return one axis for a mono file and two for a stereo file. ``reshape``
# gives both of these arrays two axes, so that one line computes the mean of either.

for data in [stereo, stereo[:, 0]]:
    samples = torch.from_numpy(data).reshape(len(data), -1)
    print(samples.mean(dim=1).shape)
# => torch.Size([16000])
# => torch.Size([16000])

# %%
# If the layer expects two channels, move them to the front: :doc:`/gallery/12_files/audio_arrays`.

print(torch.nn.Conv1d(2, 4, kernel_size=3)(torch.from_numpy(stereo).T).shape)
# => torch.Size([4, 15998])

# %%
# Images raise the same error with ``conv2d`` in the message. An axis too many is often a second
# batch axis; an axis too few is often a grey image.

layer = torch.nn.Conv2d(3, 1, kernel_size=3)
batch = torch.zeros(1, 1, 3, 8, 8)
try:
    layer(batch)
except RuntimeError as error:
    print(error)
# => Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [1, 1, 3, 8, 8]
print(layer(batch.flatten(0, 1)).shape)
# => torch.Size([1, 1, 6, 6])

# %%
# Current releases accept a single image without the batch axis. Older releases require it and raise
# ``Expected 4-dimensional input for 4-dimensional weight``; add it with ``[None]``, which works
# there too.

image = batch[0, 0]
print(layer(image).shape, layer(image[None]).shape)
# => torch.Size([1, 6, 6]) torch.Size([1, 1, 6, 6])

# %%
# What does not help
# ------------------
#
# ``squeeze`` keeps the axis of length two, and the layer then treats the two channels as samples.

try:
    model(torch.from_numpy(stereo)[None].squeeze())
except RuntimeError as error:
    print(str(error).split(",")[0])
# => Calculated padded input size per channel: (2). Kernel size: (3). Kernel size can't be greater than actual input size

# %%
# ``reshape`` to one axis interleaves left and right. The sound then has twice as many samples and
# plays at half the speed.

print(model(torch.from_numpy(stereo).reshape(1, -1)).shape)
# => torch.Size([1, 4, 31998])

# %%
# If you remove the channel axis, the layer treats the 16,000 samples as channels, which raises a
# different error: :doc:`/gallery/13_errors/channel_count`.

try:
    torch.nn.Conv1d(1, 4, kernel_size=3)(torch.from_numpy(stereo)[None])
except RuntimeError as error:
    print(str(error).split("expected input")[1])
# => [1, 16000, 2] to have 1 channels, but got 16000 channels instead
