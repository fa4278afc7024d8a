"""
ComfyUI IMAGE and MASK tensors to PIL, NumPy and OpenCV
=======================================================

An ``IMAGE`` is a float tensor of shape (B, H, W, C) from 0 to 1, with the channels last. Convert one image of
the batch at a time: ``(image[0].clamp(0, 1) * 255).round().to(torch.uint8).cpu().numpy()``.
"""

# sphinx_gallery_tags = ["comfyui", "image", "mask", "batch", "channels", "pillow", "opencv", "node"]

import cv2
import numpy as np
import torch
from PIL import Image

# %%
# The channels are last already, as Pillow wants them, so leave ``permute`` out. Pillow takes one picture: for
# the whole batch it raises ``Cannot handle this data type: (1, 1, W, 3)``.

images = torch.rand(2, 4, 5, 3)


def to_arrays(batch):
    return (batch.clamp(0, 1) * 255).round().to(torch.uint8).cpu().numpy()


pictures = [Image.fromarray(array) for array in to_arrays(images)]
print(len(pictures), pictures[0].size, pictures[0].mode)
# => 2 (5, 4) RGB

# %%
# Back from Pillow: divide by 255, and add the axis of the batch.

image = torch.from_numpy(np.array(pictures[0].convert("RGB")).astype(np.float32) / 255)[None]
print(image.shape, image.dtype)
# => torch.Size([1, 4, 5, 3]) torch.float32

# %%
# OpenCV writes and shows BGR. Convert there and back, and resize between.

bgr = cv2.cvtColor(to_arrays(images)[0], cv2.COLOR_RGB2BGR)
small = cv2.cvtColor(cv2.resize(bgr, (3, 2)), cv2.COLOR_BGR2RGB)
print((torch.from_numpy(small).float() / 255)[None].shape)
# => torch.Size([1, 2, 3, 3])

# %%
# A ``MASK`` has shape (B, H, W), without channels. In Pillow it is a grey image, mode ``L``.

mask = torch.zeros(1, 4, 5)
mask[0, 1:3] = 1
grey = Image.fromarray(to_arrays(mask)[0])
print(grey.mode, torch.from_numpy(np.array(grey).astype(np.float32) / 255)[None].shape)
# => L torch.Size([1, 4, 5])

# %%
# A mask becomes an ``IMAGE`` with three equal channels, and goes into a model of the (B, C, H, W) kind by
# ``movedim``.

print(mask[..., None].expand(-1, -1, -1, 3).shape, images.movedim(-1, 1).shape)
# => torch.Size([1, 4, 5, 3]) torch.Size([2, 3, 4, 5])
