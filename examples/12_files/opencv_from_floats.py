"""
Tensor to an OpenCV image: 0..1 to uint8, CHW to HWC, RGB to BGR
================================================================

Move the channels last and swap their order with ``flip(-1)``, multiply by 255, ``round()``,
``clamp(0, 255)`` and cast to ``torch.uint8``. A cast without the factor turns the image black.
"""

# sphinx_gallery_tags = ["opencv", "image", "dtype", "silent"]

import cv2
import torch

# %%
# A model returns channels first, in the order red, green, blue, as floats from 0 to 1. OpenCV
# wants channels last, in the order blue, green, red, usually as ``uint8`` from 0 to 255. For a
# tensor that requires grad or is on a GPU, call ``detach()`` first and ``cpu()`` at the end.

red = torch.tensor([0.999, 0.5, 0.0]).view(3, 1, 1).expand(3, 2, 4)
pixels = (red.permute(1, 2, 0) * 255).round().clamp(0, 255).to(torch.uint8)
image = pixels.flip(-1).cpu().numpy()
print(image.shape, image.dtype, image[0, 0])
# => (2, 4, 3) uint8 [  0 128 255]

# %%
# If you leave out the scaling, the cast cuts off the fraction, and the image is black. If you
# leave out the rounding, 0.999 becomes 254.

print(red.to(torch.uint8).max(), (red * 255).to(torch.uint8).max())
# => tensor(0, dtype=torch.uint8) tensor(254, dtype=torch.uint8)

# %%
# ``cv2.imshow`` is an exception: it `multiplies floats by 255
# <https://docs.opencv.org/4.x/d7/dfc/group__highgui.html>`__ before it shows them.
#
# Some normalised images have values from -1 to 1. Bring them to 0 to 1 first; an image normalised
# with mean and deviation needs these back.

signed = red * 2 - 1
print(torch.allclose((signed + 1) / 2, red))
# => True

# %%
# OpenCV's functions take this array. For the way back, swap the colours, move the channels first and
# divide by 255.

image = cv2.resize(image, (4, 2))
back = torch.from_numpy(image).flip(-1).permute(2, 0, 1).float() / 255
print(torch.allclose(back, red, atol=1 / 255))
# => True

# %%
# A mask or a grey image has one channel. Drop its axis: OpenCV has no colours to swap then.

mask = torch.tensor([[[0.0, 1.0]]])
print((mask[0] * 255).byte().numpy())
# => [[  0 255]]
