"""
add_image of TensorBoard and wandb.Image: layout and value range
================================================================

``SummaryWriter.add_image`` takes channels first, or ``dataformats="HWC"``; ``wandb.Image`` takes an array with
channels last. Give ``uint8`` from 0 to 255 to have the picture shown as it is.
"""

# sphinx_gallery_tags = ["image", "video", "tensorboard", "wandb", "logging", "layout", "range"]

import numpy as np
import torch

# %%
# One image
# ---------
#
# By default, `add_image <https://docs.pytorch.org/docs/stable/tensorboard.html>`__ of TensorBoard expects channels by
# height by width, floats from 0 to 1 or ``uint8`` from 0 to 255. The array of a colour picture from OpenCV, Pillow or
# Matplotlib has the channels last: pass ``dataformats="HWC"``, or permute it.

picture = np.zeros((4, 6, 3), dtype=np.uint8)
channels_first = torch.from_numpy(picture).permute(2, 0, 1)
print(channels_first.shape, channels_first.dtype)
# => torch.Size([3, 4, 6]) torch.uint8

# %%
# Reshaping has the right shape, too, and scrambles the pixels: it does not move axes.

stripes = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
right = stripes.transpose(2, 0, 1)
wrong = stripes.reshape(3, 2, 4)
print(right.shape == wrong.shape, np.array_equal(right, wrong))
# => True False

# %%
# Floats that go up to 255 are out of this range: divide them by 255, or cast them to ``uint8``.

floats = torch.tensor([0.0, 128.0, 255.0])
print(floats.byte(), (floats / 255).max())
# => tensor([  0, 128, 255], dtype=torch.uint8) tensor(1.)

# %%
# For `wandb.Image <https://docs.wandb.ai/ref/python/data-types/image>`__, make a ``uint8`` array with the channels
# last. It multiplies a picture between 0 and 1 by 255, and maps one between -1 and 1 onto 0 to 255, unless you
# pass ``normalize=False``.

tensor = torch.rand(3, 4, 6, generator=torch.Generator().manual_seed(0))
image = (tensor.clamp(0, 1) * 255).round().byte().permute(1, 2, 0).cpu().numpy()
print(image.shape, image.dtype)
# => (4, 6, 3) uint8

# %%
# An image that was normalised like this one can have negative values. Undo the normalisation before
# you log or show it.

mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
normalised = (tensor - mean[:, None, None]) / std[:, None, None]
restored = normalised * std[:, None, None] + mean[:, None, None]
print(normalised.min() < 0, torch.allclose(restored, tensor, atol=1e-6))
# => tensor(True) True

# %%
# A video
# -------
#
# ``add_video`` takes videos by frames by channels by height by width. Pictures from OpenCV or imageio,
# stacked, are frames by height by width by channels: permute, and add the first axis.

frames = np.zeros((5, 4, 6, 3), dtype=np.uint8)
video = torch.from_numpy(frames).permute(0, 3, 1, 2)[None]
print(video.shape)
# => torch.Size([1, 5, 3, 4, 6])

# %%
# For a grid of grey pictures, such as feature maps, add an axis for their one channel.

maps = torch.rand(8, 4, 6)
print(maps[:, None].shape)
# => torch.Size([8, 1, 4, 6])
