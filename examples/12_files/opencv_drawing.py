"""
cv2.rectangle on a tensor's image: contiguous array, int coordinates
====================================================================

Draw on ``np.ascontiguousarray(tensor.permute(1, 2, 0).numpy())`` and pass coordinates as Python integers,
``map(int, box)``. ``cv2.rectangle`` refuses the permuted view, and tensors.
"""

# sphinx_gallery_tags = ["opencv", "image", "layout", "boxes", "error"]

import cv2
import numpy as np
import torch

# %%
# The array of a permuted tensor has the strides of the tensor, and ``image[:, :, ::-1]`` has a negative stride.
# OpenCV draws into the memory that it is given, and does not take these.

tensor = torch.zeros(3, 20, 20, dtype=torch.uint8)
view = tensor.permute(1, 2, 0).numpy()
print(view.flags.c_contiguous, np.zeros((4, 4, 3), np.uint8)[:, :, ::-1].flags.c_contiguous)
# => False False
try:
    cv2.rectangle(view, (2, 2), (9, 9), (255, 0, 0), 1)
except cv2.error as error:
    print("Layout of the output array img is incompatible with cv::Mat" in str(error))
# => True

# %%
# Copy it into a contiguous array first. The function changes the array in place and returns it;
# this tensor keeps its pixels.

image = np.ascontiguousarray(view)
returned = cv2.rectangle(image, (2, 2), (9, 9), (255, 0, 0), 1)
print(returned is image, image.max(), tensor.max().item())
# => True 255 0

# %%
# Boxes of a detector are tensors of floats. ``cv2.rectangle`` wants integers: round, and take
# Python's own.

box = torch.tensor([2.4, 2.6, 9.1, 9.9])
try:
    cv2.rectangle(image, tuple(box[:2]), tuple(box[2:]), (0, 255, 0), 1)
except cv2.error as error:
    print("Can't parse 'pt1'" in str(error))
# => True
x1, y1, x2, y2 = box.round().int().tolist()
cv2.rectangle(image, (x1, y1), (x2, y2), (0, 255, 0), 1)
print((x1, y1), (x2, y2), image[3, 2])
# => (2, 3) (9, 10) [  0 255   0]

# %%
# Pixels between 0 and 1 are nearly black as ``uint8``, and colours such as 255 are too bright for them: :doc:`scale
# the image </gallery/03_dtypes/eight_bit_floats>` before you draw.

floats = torch.full((3, 4, 4), 0.5)
pixels = np.ascontiguousarray((floats * 255).round().byte().permute(1, 2, 0).numpy())
print(pixels.dtype, pixels.max())
# => uint8 128

# %%
# Other code in C may want contiguous memory, too. From a network: detach, move, then copy.

scores = torch.rand(2, 3, 4, requires_grad=True)
array = np.ascontiguousarray(scores.detach().cpu().permute(1, 2, 0).numpy())
print(array.flags.c_contiguous, array.shape)
# => True (3, 4, 2)
