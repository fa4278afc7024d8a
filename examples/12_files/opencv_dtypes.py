"""
cv2.error: Unsupported depth of input image
===========================================

To swap colours, ``cv2.cvtColor`` accepts ``uint8``, ``uint16`` and ``float32``, but no ``float64``,
``int64``, ``bool`` or ``float16``: cast with ``astype`` first, after scaling where the range changes.
"""

# sphinx_gallery_tags = ["opencv", "pillow", "image", "dtype", "error"]

import cv2
import numpy as np
import torch
from PIL import Image

# %%
# The error
# ---------
#
# The message gives the dtype in OpenCV's words: ``CV_64F`` is ``float64``, ``CV_32S`` ``int32``,
# ``CV_16F`` ``float16``. NumPy makes ``float64`` of many calculations, such as ``/ 255`` or ``np.ones``.

pixels = np.full((4, 5, 3), 200, dtype=np.uint8)
try:
    cv2.cvtColor(pixels / 255, cv2.COLOR_BGR2RGB)
except cv2.error as error:
    print(str(error).partition("\n")[2].strip())
# => > Unsupported depth of input image:
# => >     'VDepth::contains(depth)'
# => > where
# => >     'depth' is 6 (CV_64F)

# %%
# ``resize`` does not name the dtype. It raises for these ``int64`` values and for ``bool``, the
# dtype of a mask.

mask = torch.zeros(4, 5) > 0
for array in (pixels.astype(np.int64), mask.numpy()):
    try:
        cv2.resize(array, (2, 2))
    except cv2.error as error:
        print(str(error).partition("error: ")[2].strip())
# => (-215:Assertion failed) func != 0 in function 'resize'
# => (-215:Assertion failed) func != 0 in function 'resize'

# %%
# A wrong number of channels has a message like the one about the dtype, here for a tensor's array with
# the channels first. OpenCV 5.0 converts the grey image of two axes without an error.

for array in (pixels[..., 0], torch.zeros(3, 4, 5).numpy()):
    try:
        cv2.cvtColor(array, cv2.COLOR_BGR2RGB)
    except cv2.error as error:
        print(str(error).partition("\n")[2].strip())
# => > Invalid number of channels in input image:
# => >     'VScn::contains(scn)'
# => > where
# => >     'scn' is 5

# %%
# A tensor raises because it is not an array. ``!_src.empty()`` is another cause: the image is ``None``,
# because ``cv2.imread`` could not read the file.

try:
    cv2.cvtColor(torch.zeros(4, 5, 3), cv2.COLOR_BGR2RGB)
except cv2.error as error:
    print(str(error).partition("error: ")[2].strip())
# => (-5:Bad argument) in function 'cvtColor'
# => > Overload resolution failed:
# => >  - src is not a numpy array, neither a scalar
# => >  - Expected Ptr<cv::UMat> for argument 'src'

# %%
# A PIL image is refused in the same words. It has no ``astype``: convert it with ``np.asarray(image)``. If
# ``type(image)`` is ``numpy.ndarray``, this OpenCV was built for another NumPy: upgrade ``opencv-python``, or install
# ``"numpy<2"``, which has wheels up to Python 3.12.

picture = Image.new("RGB", (5, 4))
try:
    cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
except cv2.error as error:
    print(str(error).splitlines()[-1].strip() or str(error).splitlines()[-2].strip())
# => >  - Expected Ptr<cv::UMat> for argument 'src'
print(cv2.cvtColor(np.asarray(picture), cv2.COLOR_RGB2GRAY).shape)
# => (4, 5)

# %%
# The fix
# -------
#
# Cast to ``float32`` for values from 0 to 1. For 8 bits multiply first and round.

unit = pixels / 255
print(cv2.cvtColor(unit.astype(np.float32), cv2.COLOR_BGR2RGB).dtype)
# => float32
print(cv2.cvtColor((unit * 255).round().astype(np.uint8), cv2.COLOR_BGR2RGB)[0, 0])
# => [200 200 200]

# %%
# A mask becomes ``uint8`` and back; ``INTER_NEAREST`` keeps the classes whole. It is the right choice
# for labels too.

small = cv2.resize(mask.numpy().astype(np.uint8), (2, 2), interpolation=cv2.INTER_NEAREST)
print(torch.from_numpy(small).bool().shape)
# => torch.Size([2, 2])

# %%
# Convert a tensor with ``numpy()``, the channels last: :doc:`/gallery/12_files/opencv_images`.

image = torch.rand(3, 4, 5)
print(cv2.cvtColor(image.permute(1, 2, 0).numpy(), cv2.COLOR_RGB2GRAY).shape)
# => (4, 5)

# %%
# What does not help
# ------------------
#
# ``astype(np.uint8)`` without scaling removes the message: values from 0 to 1 become 0, and the image
# is black.

print(cv2.cvtColor(unit.astype(np.uint8), cv2.COLOR_BGR2RGB).max())
# => 0
