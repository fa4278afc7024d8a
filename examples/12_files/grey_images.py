"""
Grey images: single-channel tensors and Pillow's mode L
=======================================================

Drop the channel axis, scale and cast: ``Image.fromarray((tensor[0] * 255).round().byte().numpy())``
has mode ``L``. ``torch.from_numpy(np.array(image))[None] / 255`` is the way back.
"""

# sphinx_gallery_tags = ["pillow", "image", "grey", "dtype"]

import numpy as np
import torch
from PIL import Image

# %%
# Pillow wants two axes for a grey image. With the axis of the single channel in front, it raises for
# this size.

gray = torch.tensor([[[0.0, 0.2, 0.5, 0.9, 1.0], [0.1, 0.3, 0.6, 0.8, 1.0]]])
try:
    Image.fromarray((gray * 255).byte().numpy())
except TypeError as error:
    print(error)
# => Cannot handle this data type: (1, 1, 5), |u1
image = Image.fromarray((gray[0] * 255).round().byte().numpy())
print(image.mode, image.size)
# => L (5, 2)

# %%
# On the way back, add the axis again and divide by 255. ``np.array`` copies, so that the tensor may be
# written to.

back = torch.from_numpy(np.array(image))[None] / 255
print(back.shape, back.dtype, torch.allclose(back, gray, atol=1 / 255))
# => torch.Size([1, 2, 5]) torch.float32 True

# %%
# ``squeeze()`` drops each axis of length one, so an image that is one pixel high loses that axis as
# well. Index the channel instead.

thin = torch.zeros(1, 1, 5)
print(thin.squeeze().shape, thin[0].shape)
# => torch.Size([5]) torch.Size([1, 5])

# %%
# A model that expects three channels takes a grey image with ``expand``, which returns a view, or
# the image in mode ``RGB``.

print(back.expand(3, -1, -1).shape, np.array(image.convert("RGB")).shape)
# => torch.Size([3, 2, 5]) (2, 5, 3)

# %%
# From three channels to one, let Pillow weigh the colours with ``convert("L")``, or take the mean of
# the channels.

colour = torch.rand(3, 2, 3)
print(colour.mean(dim=0, keepdim=True).shape)
# => torch.Size([1, 2, 3])

# %%
# A mask of booleans becomes 0 and 255 in the same way. The image of the mask itself has mode ``1``,
# black and white.

mask = gray[0] > 0.5
print(Image.fromarray((mask * 255).byte().numpy()).getextrema())
# => (0, 255)
print(Image.fromarray(mask.numpy()).mode)
# => 1
