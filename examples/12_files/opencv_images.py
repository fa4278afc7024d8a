"""
OpenCV image to tensor: BGR, HWC and back
=========================================

Swap OpenCV's blue, green, red with ``cv2.cvtColor`` or ``tensor.flip(-1)``: torch raises for
``[..., ::-1]``. Draw on ``tensor.numpy()`` of a contiguous, channels-last tensor.
"""

# sphinx_gallery_tags = ["opencv", "image", "layout"]

import cv2
import numpy as np
import torch

# %%
# OpenCV reads colours in the order blue, green, red. Reversing the last axis makes a view with a
# negative stride, for which torch raises.

blue = np.zeros((2, 3, 3), dtype=np.uint8)
blue[..., 0] = 200
try:
    torch.from_numpy(blue[..., ::-1])
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative

# %%
# ``cvtColor`` writes the pixels into a new array. You can also reverse the axis on the tensor,
# where :meth:`torch.Tensor.flip` copies.

red = torch.from_numpy(cv2.cvtColor(blue, cv2.COLOR_BGR2RGB))
print(red[0, 0], torch.equal(red, torch.from_numpy(blue).flip(-1)))
# => tensor([  0,   0, 200], dtype=torch.uint8) True

# %%
# If you forget the swap, the code runs. But a model that was trained on images in the other order
# then gets blue for red.

print(torch.from_numpy(blue).permute(2, 0, 1).float().mean(dim=(1, 2)))
# => tensor([200.,   0.,   0.])

# %%
# For these bytes, which are not an image, OpenCV returns ``None``. torch raises later, with a
# message about the type.

missing = cv2.imdecode(np.zeros(8, dtype=np.uint8), cv2.IMREAD_COLOR)
try:
    torch.from_numpy(missing)
except TypeError as error:
    print(error)
# => expected np.ndarray (got NoneType)

# %%
# OpenCV does not accept tensors. It accepts the array of this ``uint8`` tensor, and draws on the
# shared memory. It does not draw on ``int64``.

canvas = torch.zeros(4, 5, 3, dtype=torch.uint8)
try:
    cv2.rectangle(canvas, (0, 0), (1, 1), (9, 9, 9), -1)
except cv2.error as error:
    print("not a numpy array" in str(error))
# => True
cv2.rectangle(canvas.numpy(), (0, 0), (1, 1), (9, 9, 9), -1)
print(canvas[..., 0])
# => tensor([[9, 9, 0, 0, 0],
# =>         [9, 9, 0, 0, 0],
# =>         [0, 0, 0, 0, 0],
# =>         [0, 0, 0, 0, 0]], dtype=torch.uint8)

# %%
# If the tensor has the channels first, OpenCV reads a permuted view of it but raises if you draw on
# it, because its matrices do not support that layout. Make the view contiguous, draw, and move the
# channels back.

first = torch.zeros(3, 4, 5, dtype=torch.uint8)
print(cv2.resize(first.permute(1, 2, 0).numpy(), (2, 2)).shape)
# => (2, 2, 3)
try:
    cv2.rectangle(first.permute(1, 2, 0).numpy(), (0, 0), (1, 1), (9, 9, 9), -1)
except cv2.error as error:
    print("incompatible with cv::Mat" in str(error))
# => True
drawn = cv2.rectangle(first.permute(1, 2, 0).contiguous().numpy(), (0, 0), (1, 1), (9, 9, 9), -1)
first = torch.from_numpy(drawn).permute(2, 0, 1)
print(first[0].sum())
# => tensor(36)

# %%
# For a tensor with floats from 0 to 1, multiply by 255, round and cast to ``uint8`` first:
# :doc:`/gallery/12_files/opencv_from_floats`.
#
# Move the channels last before you resize. OpenCV takes the last axis for the channels, so it
# resizes a small image with the channels first along the wrong axes. If the image is wider than 128
# pixels, OpenCV 5 raises.

print(cv2.resize(np.zeros((3, 4, 5), dtype=np.float32), (2, 2)).shape)
# => (2, 2, 5)
