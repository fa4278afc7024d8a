"""
RuntimeError: Expected 2D (unbatched) or 3D (batched) input to conv1d
=====================================================================

The input has an axis too many, mostly because a stereo file met a model for one channel: take the
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
# A model for speech takes ``(batch, samples)`` and adds the axis of its one channel. Readers of
# sound files return ``(samples, channels)`` for a stereo file, so the channels arrive as a fourth
# axis.


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
# One channel is the mean of both. A batch of it has two axes.

mono = torch.from_numpy(stereo).mean(dim=1)
print(model(mono[None]).shape)
# => torch.Size([1, 4, 15998])

# %%
# Readers return one axis for a file of one channel and two for others. ``reshape`` brings both to
# two axes before the mean.

for data in [stereo, stereo[:, 0]]:
    samples = torch.from_numpy(data).reshape(len(data), -1)
    print(samples.mean(dim=1).shape)
# => torch.Size([16000])
# => torch.Size([16000])

# %%
# A layer for two channels gets both, in front: :doc:`/gallery/12_files/audio_arrays`.

print(torch.nn.Conv1d(2, 4, kernel_size=3)(torch.from_numpy(stereo).T).shape)
# => torch.Size([4, 15998])

# %%
# Images fail alike, with ``conv2d`` in the message: one axis too many is often a second batch axis,
# one too few a grey image.

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
# A single image may come without the batch axis today. Older releases wanted it, and said ``Expected
# 4-dimensional input for 4-dimensional weight``; ``[None]`` adds it everywhere.

image = batch[0, 0]
print(layer(image).shape, layer(image[None]).shape)
# => torch.Size([1, 6, 6]) torch.Size([1, 1, 6, 6])

# %%
# What does not help
# ------------------
#
# ``squeeze`` keeps the axis of length two, and the layer then takes the two for samples.

try:
    model(torch.from_numpy(stereo)[None].squeeze())
except RuntimeError as error:
    print(str(error).split(",")[0])
# => Calculated padded input size per channel: (2). Kernel size: (3). Kernel size can't be greater than actual input size

# %%
# ``reshape`` to one axis puts left and right by turns: twice as many samples, which sound at half
# the speed.

print(model(torch.from_numpy(stereo).reshape(1, -1)).shape)
# => torch.Size([1, 4, 31998])

# %%
# Without the added axis the 16,000 samples are taken for channels, which is the next error:
# :doc:`/gallery/13_errors/channel_count`.

try:
    torch.nn.Conv1d(1, 4, kernel_size=3)(torch.from_numpy(stereo)[None])
except RuntimeError as error:
    print(str(error).split("expected input")[1])
# => [1, 16000, 2] to have 1 channels, but got 16000 channels instead
