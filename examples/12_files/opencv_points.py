"""
OpenCV contours, polygons and drawing: uint8 masks, int32 points
================================================================

``findContours`` wants a ``uint8`` mask, ``fillPoly`` points of ``int32``, ``convexHull`` also ``float32``, and
the drawing functions integers: ``mask.astype(np.uint8)``, ``points.astype(np.int32)``, ``int(x)``.
"""

# sphinx_gallery_tags = ["opencv", "image", "dtype", "scalar", "error"]

import cv2
import numpy as np
import torch


def say(error):
    return str(error).partition("error: ")[2].strip()


# %%
# Masks
# -----
#
# The output of a network is ``float32``. ``findContours`` refuses it; OpenCV 4 says ``FindContours supports
# only CV_8UC1 images``.

mask = torch.zeros(8, 8)
mask[2:6, 2:6] = 0.9
try:
    cv2.findContours(mask.numpy(), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
except cv2.error as error:
    print(say(error).splitlines()[1])
# => > Modes other than RETR_FLOODFILL and RETR_CCOMP support only CV_8UC1 images (expected: 'img.type() == CV_8UC1'), where
binary = (mask > 0.5).cpu().numpy().astype(np.uint8)
contours, hierarchy = cv2.findContours(binary, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
print(len(contours), contours[0].dtype, contours[0].shape)
# => 1 int32 (4, 1, 2)

# %%
# Points
# ------
#
# Points that were calculated are often ``float64``, which these functions refuse. ``CV_32S`` in the message
# is ``int32``, and ``CV_32F`` ``float32``. ``fillPoly`` and ``polylines`` refuse ``float32`` too.

points = np.array([[1.0, 1.0], [6.0, 1.0], [6.0, 6.0]])
image = np.zeros((8, 8), dtype=np.uint8)
for function in (cv2.convexHull, cv2.contourArea, lambda p: cv2.fillPoly(image, [p], 1)):
    try:
        function(points)
    except cv2.error as error:
        print(say(error))
# => (-215:Assertion failed) total >= 0 && (depth == CV_32F || depth == CV_32S) in function 'convexHull'
# => (-215:Assertion failed) npoints >= 0 && (depth == CV_32F || depth == CV_32S) in function 'contourArea'
# => (-215:Assertion failed) p.checkVector(2, CV_32S) > 0 in function 'fillPoly'
corners = points.round().astype(np.int32)
print(cv2.contourArea(corners), cv2.fillPoly(image, [corners], 1).sum())
# => 12.5 21

# %%
# Coordinates
# -----------
#
# A centre or corner is a pair of integers. A tensor, and a NumPy or Python float, are refused.

box = torch.tensor([1.0, 2.0, 6.0, 7.0])
canvas = np.zeros((8, 8, 3), dtype=np.uint8)
try:
    cv2.rectangle(canvas, (box[0], box[1]), (box[2], box[3]), (255, 0, 0), 1)
except cv2.error as error:
    print("\n".join(say(error).splitlines()[:3]))
# => (-5:Bad argument) in function 'rectangle'
# => > Overload resolution failed:
# => >  - Can't parse 'pt1'. Sequence item with index 0 has a wrong type
left, top, right, bottom = box.round().int().tolist()
print(cv2.rectangle(canvas, (left, top), (right, bottom), (255, 0, 0), 1).max())
# => 255

# %%
# The same holds for the size in ``resize``. A colour is a tuple of Python numbers; this array of ``int64`` is
# refused.

colour = np.array([255, 0, 0])
try:
    cv2.circle(canvas, (4, 4), 2, colour, 1)
except cv2.error as error:
    print("\n".join(say(error).splitlines()[:3]))
# => (-5:Bad argument) in function 'circle'
# => > Overload resolution failed:
# => >  - Scalar value for argument 'color' is not numeric
print(cv2.circle(canvas, (4, 4), 2, tuple(colour.tolist()), 1).shape)
# => (8, 8, 3)

# %%
# Canvas
# ------
#
# The drawing functions write into the image. They refuse the strides that an array has after ``permute``
# or ``[..., ::-1]``; a window such as ``canvas[:, 2:6]`` works.

tensor = torch.zeros(3, 8, 8, dtype=torch.uint8)
view = tensor.permute(1, 2, 0).numpy()
try:
    cv2.circle(view, (4, 4), 2, (255, 0, 0), 1)
except cv2.error as error:
    print("\n".join(say(error).splitlines()[:3]))
# => (-5:Bad argument) in function 'circle'
# => > Overload resolution failed:
# => >  - Layout of the output array img is incompatible with cv::Mat
print(cv2.circle(np.ascontiguousarray(view), (4, 4), 2, (255, 0, 0), 1).max())
# => 255

# %%
# For images of the wrong dtype see :doc:`/gallery/12_files/opencv_dtypes`.
