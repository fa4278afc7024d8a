"""
NHWC batch to channels_last without a copy
==========================================

You need not convert this C-contiguous NumPy batch with the channels last: after
``permute(0, 3, 1, 2)`` the tensor is already in the ``torch.channels_last`` format.
"""

# sphinx_gallery_tags = ["layout", "channels_last", "image"]

import numpy as np
import torch

# %%
# ``channels_last`` is an order in memory, not a shape: the axes are batch, channel, height, width,
# but the channels of each pixel are adjacent in memory. The batch below has that order, so after
# ``permute`` it already has this format.

batch = np.zeros((2, 4, 5, 3), dtype=np.float32)
images = torch.from_numpy(batch).permute(0, 3, 1, 2)
print(images.shape, images.stride())
# => torch.Size([2, 3, 4, 5]) (60, 1, 15, 3)
print(images.is_contiguous(memory_format=torch.channels_last))
# => True

# %%
# Converting it to the format therefore returns the tensor itself, which still shares the array's
# memory.

converted = images.contiguous(memory_format=torch.channels_last)
print(converted is images)
# => True
print(np.shares_memory(images.permute(0, 2, 3, 1).numpy(), batch))
# => True

# %%
# Here a plain ``contiguous()`` moves the values into the other order.

planar = images.contiguous()
print(planar.stride())
# => (60, 20, 5, 1)
print(planar.is_contiguous(memory_format=torch.channels_last))
# => False

# %%
# This convolution keeps the format, so its output converts to a NumPy array with the channels last,
# without a copy. `The tutorial
# <https://docs.pytorch.org/tutorials/intermediate/memory_format_tutorial.html>`__ has more about
# operators that support it.

with torch.no_grad():
    features = torch.nn.Conv2d(3, 8, kernel_size=1)(images)
print(features.is_contiguous(memory_format=torch.channels_last))
# => True
print(features.permute(0, 2, 3, 1).numpy().flags.c_contiguous)
# => True

# %%
# Stacking these images loses the format. Each permuted image has its channels last in memory, but
# :func:`torch.stack` rearranges the values into the default order.

samples = [image.permute(2, 0, 1) for image in torch.from_numpy(batch)]
print(torch.stack(samples).stride())
# => (60, 20, 5, 1)

# %%
# Stack the images in NumPy's order first, then permute the batch. This copies each image once, and
# the result is ``channels_last``.

stacked = torch.stack(list(torch.from_numpy(batch))).permute(0, 3, 1, 2)
print(stacked.is_contiguous(memory_format=torch.channels_last))
# => True

# %%
# With a single channel the two orders are the same, and both checks return ``True``. Torch then
# `reads the format from the strides <https://github.com/pytorch/pytorch/pull/173038>`__, which
# still differ.

grey = torch.from_numpy(np.zeros((2, 4, 5, 1), dtype=np.float32)).permute(0, 3, 1, 2)
print(grey.is_contiguous(), grey.is_contiguous(memory_format=torch.channels_last))
# => True True
print(grey.stride(), torch.zeros(2, 1, 4, 5).stride())
# => (20, 1, 5, 1) (20, 20, 5, 1)
