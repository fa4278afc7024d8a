"""
Input range 0..1, -1..1 or 0..255: what a model or metric expects
=================================================================

Look it up per function, and convert once: ``x / 255`` gives 0..1, and ``x * 2 - 1`` gives -1..1. LPIPS wants
-1..1, FID of torchmetrics wants ``uint8``. Both take 0..1 with ``normalize=True``.
"""

# sphinx_gallery_tags = ["image", "metrics", "lpips", "fid", "diffusers", "preprocessing", "dtype"]

import numpy as np
import torch

# %%
# The three ranges, and the ways between them. Clamp before you go back to ``uint8``.

pixels = torch.tensor([0, 128, 255], dtype=torch.uint8)
unit = pixels / 255
signed = unit * 2 - 1
print(unit, signed)
# => tensor([0.0000, 0.5020, 1.0000]) tensor([-1.0000,  0.0039,  1.0000])
back = ((signed + 1) / 2).clamp(0, 1).mul(255).round().to(torch.uint8)
print(torch.equal(back, pixels))
# => True

# %%
# What common functions want, by their documentation:
#
# - ``lpips.LPIPS`` and LPIPS of torchmetrics: floats from -1 to 1, or from 0 to 1 with ``normalize=True``
# - ``FrechetInceptionDistance`` of torchmetrics: ``uint8``, or floats from 0 to 1 with ``normalize=True``
# - metrics of pyiqa, given tensors: RGB floats from 0 to 1, of shape (N, 3, H, W)
# - the VAE of diffusers: -1 to 1 in both directions; image pipelines return 0 to 1, with the channels last for
#   ``output_type="np"`` and first for ``"pt"``
# - YOLO of ultralytics: an array is ``uint8`` BGR (H, W, 3), a tensor is RGB from 0 to 1 (N, 3, H, W)

# %%
# An OpenCV image for a metric that wants RGB from 0 to 1 in a batch: reverse the channels, put them first, and
# scale.

bgr = np.zeros((4, 6, 3), dtype=np.uint8)
bgr[..., 0] = 255
rgb = torch.from_numpy(bgr[..., ::-1].copy()).permute(2, 0, 1)[None].float() / 255
print(rgb.shape, rgb[0, :, 0, 0])
# => torch.Size([1, 3, 4, 6]) tensor([0., 0., 1.])

# %%
# Scaled twice
# ------------
#
# ``ToTensor`` has divided a ``uint8`` image by 255 already. An image processor of transformers, whose
# ``rescale_factor`` is 1/255, divides again, and the model sees a nearly black image. Pass
# ``do_rescale=False``, or give it the ``uint8`` image. The largest value shows it.

print((unit / 255).max() < 0.004)
# => tensor(True)

# %%
# ``do_rescale=False`` needs floats from 0 to 1. With a ``uint8`` image, transformers 5.24 returns values in the
# hundreds. Old releases such as 4.26 cast the standard deviation to ``uint8``, so that it is 0 and the result
# ``inf``.

deviation = np.array([0.229, 0.224, 0.225]).astype(np.uint8)
print(deviation, torch.tensor(1.0) / torch.from_numpy(deviation))
# => [0 0 0] tensor([inf, inf, inf])

# %%
# Check a batch before it goes in. A maximum of 1 suggests 0..1, a negative minimum -1..1 or an image that was
# normalised by mean and standard deviation: :doc:`/gallery/12_files/normalised_images`.

print(signed.min().item(), signed.max().item(), signed.dtype)
# => -1.0 1.0 torch.float32
