"""
Resize and normalise images on the GPU instead of in OpenCV
===========================================================

Move the image to the device as ``uint8``, then call ``torch.nn.functional.interpolate`` and subtract
the mean there: with ``mode="bilinear"`` it resizes like ``cv2.resize``.
"""

# sphinx_gallery_tags = ["opencv", "image", "device", "layout"]

import cv2
import numpy as np
import torch
from torch.nn.functional import interpolate

# %%
# ``cv2.resize`` works on arrays, so a tensor on a GPU would go to the CPU and back for it.
# :func:`torch.nn.functional.interpolate` resizes on the tensor's device. It takes a batch with the
# channels first, here of floats. Here ``device`` may be ``"cuda"`` as well.

device = "cpu"
image = np.random.default_rng(0).integers(0, 256, (6, 8, 3), dtype=np.uint8)
batch = torch.from_numpy(image).to(device).permute(2, 0, 1)[None].float() / 255
small = interpolate(batch, size=(3, 4), mode="bilinear", align_corners=False)
print(small.shape)
# => torch.Size([1, 3, 3, 4])

# %%
# With these arguments the result agrees with OpenCV's default, up to rounding. Note the order of the
# sizes: OpenCV wants the width first.

theirs = cv2.resize(image.astype(np.float32) / 255, (4, 3))
print(np.allclose(small[0].permute(1, 2, 0).cpu().numpy(), theirs, atol=1e-5))
# => True

# %%
# ``mode="bicubic"`` agrees with ``cv2.INTER_CUBIC`` as well. ``antialias=True`` smooths before it
# shrinks, as Pillow does and OpenCV's default does not, so the results differ.

cubic = interpolate(batch, size=(3, 4), mode="bicubic", align_corners=False)
theirs = cv2.resize(image.astype(np.float32) / 255, (4, 3), interpolation=cv2.INTER_CUBIC)
print(np.allclose(cubic[0].permute(1, 2, 0).cpu().numpy(), theirs, atol=1e-5))
# => True
smooth = interpolate(batch, size=(3, 4), mode="bilinear", antialias=True)
print(torch.allclose(smooth, small, atol=1e-3))
# => False

# %%
# Normalise with mean and deviation as tensors of the shape ``(3, 1, 1)`` on the same device.

mean = torch.tensor([0.485, 0.456, 0.406], device=device).view(3, 1, 1)
deviation = torch.tensor([0.229, 0.224, 0.225], device=device).view(3, 1, 1)
print(((small - mean) / deviation).shape)
# => torch.Size([1, 3, 3, 4])
