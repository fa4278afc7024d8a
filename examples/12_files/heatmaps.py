"""
Overlay an attention map or Grad-CAM heatmap on the image
=========================================================

Resize the map to the image with ``F.interpolate``, scale it to 0..1, and give
``map[0, 0].detach().cpu().numpy()`` to ``imshow`` with ``alpha=0.5`` over the image.
"""

# sphinx_gallery_tags = ["attention", "heatmap", "matplotlib", "opencv", "overlay", "interpolate", "feature-map", "image"]

import cv2
import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch.nn import functional as F

mpl.use("Agg")

# %%
# Attention to 14 by 14 patches comes as 196 numbers: make a picture of them first. If a ViT gives 197, the
# first is the class token.

attention = torch.rand(197, requires_grad=True)
image = np.random.default_rng(0).integers(0, 256, (56, 84, 3), dtype=np.uint8)
grid = attention[1:].reshape(1, 1, 14, 14)
large = F.interpolate(grid, size=image.shape[:2], mode="bilinear", align_corners=False)
print(large.shape)
# => torch.Size([1, 1, 56, 84])

# %%
# Scale it, and drop the axes of batch and channels.

heat = large.detach().cpu()[0, 0]
heat = ((heat - heat.min()) / (heat.max() - heat.min())).numpy()
print(heat.shape, heat.min(), heat.max())
# => (56, 84) 0.0 1.0

# %%
# matplotlib draws one over the other, and colours the map.

figure, axes = plt.subplots()
axes.imshow(image)
axes.imshow(heat, cmap="jet", alpha=0.5)
print(len(axes.images))
# => 2
plt.close(figure)

# %%
# With OpenCV, ``applyColorMap`` refuses floats: give it ``uint8`` with one channel. It returns BGR, so convert
# one of the two pictures.

coloured = cv2.applyColorMap((heat * 255).astype(np.uint8), cv2.COLORMAP_JET)
overlay = cv2.addWeighted(image, 0.5, cv2.cvtColor(coloured, cv2.COLOR_BGR2RGB), 0.5, 0)
print(overlay.shape, overlay.dtype)
# => (56, 84, 3) uint8

# %%
# For a feature map of a convolution, choose a channel, or average over the channels.

features = torch.rand(1, 8, 7, 7)
print(features[0, 3].shape, features[0].mean(0).numpy().shape)
# => torch.Size([7, 7]) (7, 7)
