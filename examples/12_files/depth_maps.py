"""
Depth map to a 16-bit PNG in millimetres, npy or TIFF
=====================================================

``(depth * 1000).round().clip(0, 65535).astype(np.uint16)`` is what a depth PNG in millimetres holds. An 8-bit
PNG keeps 256 levels; ``.npy`` and a float TIFF keep the ``float32`` values.
"""

# sphinx_gallery_tags = ["depth", "image", "png", "uint16", "tiff", "precision", "pillow", "opencv"]

import io

import cv2
import numpy as np
import torch
from PIL import Image

# %%
# A model predicts metres as a ``float32`` tensor of shape (1, 1, H, W). Make missing depth, ``inf`` or
# ``nan``, 0, which datasets such as KITTI use for invalid pixels.

predicted = torch.tensor([[[[0.5, 2.3456], [12.0, float("inf")]]]])
depth = predicted[0, 0].nan_to_num(nan=0, posinf=0).cpu().numpy()
millimetres = (depth * 1000).round().clip(0, 65535).astype(np.uint16)
print(millimetres)
# => [[  500  2346]
# =>  [12000     0]]

# %%
# Pillow and OpenCV write a ``uint16`` array as a 16-bit PNG. Read it with ``cv2.IMREAD_UNCHANGED``, or with
# Pillow, and divide by the same factor.

file = io.BytesIO()
Image.fromarray(millimetres).save(file, format="png")
_, encoded = cv2.imencode(".png", millimetres)
read = cv2.imdecode(encoded, cv2.IMREAD_UNCHANGED)
print(np.array_equal(np.array(Image.open(file)), read))
# => True
metres = torch.from_numpy(read.astype(np.float32) / 1000)
print(metres)
# => tensor([[ 0.5000,  2.3460],
# =>         [12.0000,  0.0000]])

# %%
# A cast without rounding and clipping cuts digits off, and far points may wrap around: 70 metres do not fit
# into 65,535 millimetres. Datasets such as KITTI store 256 steps per metre.

far = np.array([70.0], dtype=np.float32)
print((far * 1000).astype(np.int64).astype(np.uint16), (far * 256).astype(np.uint16))
# => [4464] [17920]

# %%
# The picture for people is something else: scaled to its own range, it has at most 256 levels, and the scale
# is lost.

view = (depth / depth.max() * 255).astype(np.uint8)
print(view)
# => [[ 10  49]
# =>  [255   0]]

# %%
# To keep the floats, save ``.npy``, or a TIFF, which Pillow opens with mode ``F``.

tiff = io.BytesIO()
Image.fromarray(depth).save(tiff, format="tiff")
print(Image.open(tiff).mode, np.array_equal(np.array(Image.open(tiff)), depth))
# => F True
