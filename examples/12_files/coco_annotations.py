"""
Boxes and masks for COCO: x, y, w, h and Fortran-ordered uint8
==============================================================

``pycocotools.mask.encode`` wants ``np.asfortranarray(mask.cpu().numpy().astype(np.uint8))``. COCO boxes are x,
y, width, height in pixels, while torchvision's detectors return two corners: x1, y1, x2, y2.
"""

# sphinx_gallery_tags = ["coco", "pycocotools", "detection", "boxes", "bbox", "rle", "mask", "json", "xywh", "xyxy"]

import json

import numpy as np
import torch

# %%
# Corners to x, y, width, height, and back.

corners = torch.tensor([[10.0, 20.0, 50.0, 80.0]])
boxes = torch.cat([corners[:, :2], corners[:, 2:] - corners[:, :2]], dim=1)
print(boxes)
# => tensor([[10., 20., 40., 60.]])
print(torch.cat([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], dim=1))
# => tensor([[10., 20., 50., 80.]])

# %%
# YOLO's text files have the centre, width and height as fractions of the picture.

width, height = 100, 200
centres = torch.cat([(corners[:, :2] + corners[:, 2:]) / 2, boxes[:, 2:]], dim=1)
print(centres / torch.tensor([width, height, width, height]))
# => tensor([[0.3000, 0.2500, 0.4000, 0.3000]])

# %%
# JSON takes Python numbers: call ``tolist`` and ``item``.

entry = {"image_id": 7, "bbox": boxes[0].tolist(), "score": torch.tensor(0.5).item()}
print(json.dumps(entry))
# => {"image_id": 7, "bbox": [10.0, 20.0, 40.0, 60.0], "score": 0.5}

# %%
# A mask of a model is ``bool``, on a GPU perhaps, in C order. Run-length codes of COCO count down the
# columns, so ``encode`` asks for Fortran order, and raises for ``int64`` and floats.

mask = torch.zeros(3, 4, dtype=torch.bool)
mask[1:, 2] = True
array = np.asfortranarray(mask.cpu().numpy().astype(np.uint8))
print(array.flags.f_contiguous, array.dtype)
# => True uint8

# %%
# The counts of pixels, which ``encode`` compresses, begin with the zeros: seven zeros, two ones, three zeros
# here. If the first pixel is set, the count of zeros is 0.


def count_runs(array):
    flat = array.ravel(order="F")
    edges = np.flatnonzero(np.diff(flat, prepend=0))
    return np.diff([0, *edges, flat.size]).tolist()


print(count_runs(array), count_runs(1 - array))
# => [7, 2, 3] [0, 7, 2, 3]

# %%
# ``encode`` returns the counts as ``bytes``, which JSON refuses: ``rle["counts"].decode()``. Several masks go
# in as (height, width, n), and torch has them as (n, height, width).

masks = torch.stack([mask, ~mask])
print(np.asfortranarray(masks.permute(1, 2, 0).numpy().astype(np.uint8)).shape)
# => (3, 4, 2)
