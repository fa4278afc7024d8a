"""
Image bytes, base64 or a URL to a tensor; photos that lie sideways
==================================================================

Open the bytes with ``Image.open(io.BytesIO(data)).convert("RGB")``, or with
``cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)``. ``ImageOps.exif_transpose`` turns a photo
that the camera marked as rotated.
"""

# sphinx_gallery_tags = ["image", "bytes", "base64", "url", "upload", "exif", "rotation", "pillow", "opencv", "api"]

import base64
import io

import cv2
import numpy as np
import torch
from PIL import Image, ImageOps

# %%
# ``requests.get(url).content`` or an uploaded file is the encoded image. It is not the pixels, so
# ``torch.frombuffer`` would give the bytes of a PNG.

array = np.zeros((2, 3, 3), dtype=np.uint8)
array[..., 0] = 200
file = io.BytesIO()
Image.fromarray(array).save(file, format="png")
data = file.getvalue()
print(type(data).__name__, data[1:4])
# => bytes b'PNG'

# %%
# Pillow decodes to RGB. ``np.array`` copies, so the tensor may be written to.

image = Image.open(io.BytesIO(data)).convert("RGB")
tensor = torch.from_numpy(np.array(image)).permute(2, 0, 1)
print(tensor.shape, tensor[:, 0, 0])
# => torch.Size([3, 2, 3]) tensor([200,   0,   0], dtype=torch.uint8)

# %%
# OpenCV decodes to BGR, and returns ``None`` for bytes of no known format. Empty bytes raise ``cv2.error``.

bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
print(bgr[0, 0], cv2.imdecode(np.frombuffer(b"text", np.uint8), cv2.IMREAD_COLOR))
# => [  0   0 200] None

# %%
# Base64 writes the same bytes as text. A data URL has a prefix up to the comma.

text = "data:image/png;base64," + base64.b64encode(data).decode()
decoded = base64.b64decode(text.split(",", 1)[1])
print(decoded == data)
# => True

# %%
# Sideways photos
# ---------------
#
# Many phones store the pixels as the sensor lies, with an EXIF tag for the rotation. ``cv2.imread`` and
# ``cv2.imdecode`` apply the tag with ``IMREAD_COLOR``, though not with ``IMREAD_UNCHANGED``. Pillow leaves the
# pixels alone.

photo = Image.fromarray(array)
exif = photo.getexif()
exif[0x0112] = 6  # rotated by 90 degrees
file = io.BytesIO()
photo.save(file, format="jpeg", exif=exif)
opened = Image.open(io.BytesIO(file.getvalue()))
upright = ImageOps.exif_transpose(opened)
print(np.array(opened).shape, np.array(upright).shape)
# => (2, 3, 3) (3, 2, 3)
print(cv2.imdecode(np.frombuffer(file.getvalue(), np.uint8), cv2.IMREAD_COLOR).shape)
# => (3, 2, 3)
