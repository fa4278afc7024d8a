"""
YOLO results to NumPy: boxes and masks, in the size of the image
================================================================

``result.boxes.xyxy.cpu().numpy()`` and ``result.masks.data.cpu().numpy()`` give arrays, while
``result.masks.numpy()`` returns another ``Masks`` object. Resize masks with ``F.interpolate``, or predict with
``retina_masks=True``.
"""

# sphinx_gallery_tags = ["yolo", "ultralytics", "detection", "boxes", "mask", "segmentation", "resize", "letterbox"]

import numpy as np
import torch
from torch.nn import functional as F

# %%
# Results of ultralytics wrap tensors on the device of the model. The tensors are ``boxes.xyxy``,
# ``boxes.conf``, ``boxes.cls`` and ``masks.data``. These stand for them.

xyxy = torch.tensor([[4.0, 2.0, 12.0, 8.0]])
classes, scores = torch.tensor([2.0]), torch.tensor([0.9])
masks = torch.zeros(1, 8, 16)
masks[0, 2:5, 4:10] = 1

# %%
# Class numbers are floats: cast them before they index the list of names. Boxes need whole numbers to slice an
# image.

names = {0: "person", 2: "car"}
print([names[index] for index in classes.int().tolist()])
# => ['car']
image = np.zeros((12, 24, 3), dtype=np.uint8)
x1, y1, x2, y2 = xyxy[0].round().int().tolist()
print(image[y1:y2, x1:x2].shape)
# => (6, 8, 3)

# %%
# ``masks.data`` has the size that the model saw, for most models a multiple of 32. Newer releases return
# ``uint8``, which ``nearest`` takes too. Here the image is 24 by 12 and the mask 16 by 8: the same
# proportions, so scaling is enough. ``nearest`` keeps 0 and 1.

full = F.interpolate(masks[None], size=image.shape[:2], mode="nearest")[0]
print(full.shape, full.unique())
# => torch.Size([1, 12, 24]) tensor([0., 1.])

# %%
# With letterbox borders, cut these off first. For an image of 24 by 6 in a frame of 16 by 8, two rows above and
# below are border.

scale = 16 / 24
border = round((8 - 6 * scale) / 2)
inner = masks[:, border : 8 - border]
print(border, F.interpolate(inner[None], size=(6, 24), mode="nearest")[0].shape)
# => 2 torch.Size([1, 6, 24])

# %%
# A ``bool`` array of the mask selects pixels of the image.

selected = full[0].bool().cpu().numpy()
image[selected] = (0, 255, 0)
print(image[selected].shape[1], selected.dtype)
# => 3 bool

# %%
# An image goes in as ``uint8`` BGR array (H, W, 3). A tensor is taken as ready for the model: RGB, (N, 3, H,
# W), floats from 0 to 1, sides that are multiples of 32.

bgr = np.zeros((32, 64, 3), dtype=np.uint8)
batch = torch.from_numpy(bgr[..., ::-1].copy()).permute(2, 0, 1)[None].float() / 255
print(batch.shape, batch.dtype)
# => torch.Size([1, 3, 32, 64]) torch.float32
