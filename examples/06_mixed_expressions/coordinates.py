"""
Keypoints are (x, y), an array is indexed [y, x]: heatmaps, grids
=================================================================

``y, x = np.unravel_index(heat.argmax(), heat.shape)`` gives row and column of a peak: swap them for a drawing
function. ``grid_sample`` wants (x, y) from -1 to 1.
"""

# sphinx_gallery_tags = ["keypoints", "coordinates", "heatmap", "argmax", "grid_sample", "warp", "pose", "optical-flow"]

import numpy as np
import torch
from torch.nn import functional as F

# %%
# Rows are y, columns are x. ``argmax`` without an axis counts through the flat array.

heat = torch.zeros(4, 6)
heat[1, 5] = 1
y, x = np.unravel_index(heat.numpy().argmax(), heat.shape)
print(int(x), int(y))
# => 5 1

# %%
# In torch, divide by the width: the quotient is y, the remainder x. For a batch of heatmaps, flatten the last
# two axes.

flat = torch.stack([heat, heat.flip(1)]).flatten(1).argmax(1)
print(torch.stack([flat % 6, flat // 6], dim=1))
# => tensor([[5, 1],
# =>         [0, 1]])

# %%
# Look up the values at whole-numbered keypoints (x, y): the second column first.

points = torch.tensor([[5, 1], [2, 3]])
print(heat[points[:, 1], points[:, 0]])
# => tensor([1., 0.])

# %%
# ``shape`` is (height, width), while ``PIL.Image.size`` and ``cv2.resize`` take (width, height).

height, width = heat.shape
print((width, height))
# => (6, 4)

# %%
# Grids
# -----
#
# ``grid_sample`` reads at (x, y), where -1 and 1 are the centres of the outer pixels with
# ``align_corners=True``. The grid has the shape (N, H, W, 2).

rows, columns = torch.meshgrid(torch.arange(4.0), torch.arange(6.0), indexing="ij")
grid = torch.stack([columns / (width - 1), rows / (height - 1)], dim=-1)[None] * 2 - 1
same = F.grid_sample(heat[None, None], grid, align_corners=True)[0, 0]
print(torch.allclose(same, heat, atol=1e-6))
# => True

# %%
# An optical flow from OpenCV is (H, W, 2) in pixels, x first: add it to the columns and rows before they are
# scaled. This flow reads one pixel to the right.

flow = torch.from_numpy(np.tile(np.float32([1, 0]), (4, 6, 1)))
moved = torch.stack([columns, rows], dim=-1) + flow
grid = moved / torch.tensor([width - 1, height - 1]) * 2 - 1
shifted = F.grid_sample(heat[None, None], grid[None], align_corners=True)[0, 0]
print(shifted[1].round())
# => tensor([0., 0., 0., 0., 1., 0.])
