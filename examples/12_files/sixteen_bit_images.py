"""
16-bit PNG or TIFF to a tensor: uint16 without loss
===================================================

Read the image with ``cv2.IMREAD_UNCHANGED`` or Pillow's mode ``I;16``, and convert the ``uint16`` array to
``float32`` or ``int32`` before you calculate: both hold all 65,536 levels.
"""

# sphinx_gallery_tags = ["image", "uint16", "tiff", "satellite", "pillow", "opencv", "precision", "dtype"]

import io

import cv2
import numpy as np
import torch
from PIL import Image

# %%
# Satellite tiles, depth maps and medical images often have 16 bits. By default OpenCV reads such a file as
# ``uint8`` and drops the lower byte.

levels = np.array([[0, 1, 255], [256, 1000, 65535]], dtype=np.uint16)
_, encoded = cv2.imencode(".png", levels)
print(cv2.imdecode(encoded, cv2.IMREAD_GRAYSCALE).max())
# => 255
read = cv2.imdecode(encoded, cv2.IMREAD_UNCHANGED)
print(read.dtype, np.array_equal(read, levels))
# => uint16 True

# %%
# Pillow keeps the 16 bits of one channel, here in a TIFF file. PNG works in the same way.

file = io.BytesIO()
Image.fromarray(levels).save(file, format="tiff")
image = Image.open(file)
print(image.mode, np.array_equal(np.array(image), levels))
# => I;16 True

# %%
# ``from_numpy`` takes ``uint16``, but such a tensor has :doc:`few operations
# </gallery/03_dtypes/unsigned_gaps>`. ``float32`` holds each level, and so does the way back from a range of 0 to 1.

x = torch.from_numpy(levels.astype(np.float32)) / 65535
print(x.max(), np.array_equal((x * 65535).round().numpy().astype(np.uint16), levels))
# => tensor(1.) True

# %%
# ``int32`` keeps whole numbers, and ``uint32`` needs ``int64``. ``float16`` has 11 bits of precision and cannot
# hold the levels.

print(torch.from_numpy(levels.astype(np.int32)).dtype)
# => torch.int32
print(np.array([2048, 2049, 2050], dtype=np.uint16).astype(np.float16))
# => [2.048e+03 2.048e+03 2.050e+03]

# %%
# Many sensors use fewer bits: divide by the largest number that can occur, such as 4095 for 12 bits. By 65535 the
# picture would be dark.

twelve = np.array([0, 4095], dtype=np.uint16)
print(twelve / np.float32(4095), twelve / np.float32(65535))
# => [0. 1.] [0.         0.06248569]

# %%
# For a model that wants ``uint8``, scale first. A cast alone keeps the lower byte.

print(levels.astype(np.uint8))
# => [[  0   1 255]
# =>  [  0 232 255]]
print((levels / 257).round().astype(np.uint8))
# => [[  0   0   1]
# =>  [  1   4 255]]
