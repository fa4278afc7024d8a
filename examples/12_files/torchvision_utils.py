"""
save_image, make_grid, draw_bounding_boxes: which tensor they want
==================================================================

These functions of torchvision want tensors with the channels first: ``save_image`` floats from 0 to 1,
the drawing functions ``uint8`` or floats. For an array, ``torch.from_numpy(array).permute(2, 0, 1)``.
"""

# sphinx_gallery_tags = ["torchvision", "pillow", "image", "layout", "dtype", "error"]

import io

import numpy as np
import torch
from PIL import Image
from torchvision.utils import draw_bounding_boxes, draw_segmentation_masks, make_grid, save_image

# %%
# ``save_image``
# --------------
#
# After multiplying by 255 it adds 0.5 in place, which ``uint8`` cannot hold.

pixels = torch.full((3, 4, 5), 200, dtype=torch.uint8)
try:
    save_image(pixels, io.BytesIO(), format="png")
except RuntimeError as error:
    print(error)
# => result type Float can't be cast to the desired output type Byte

# %%
# Divide by 255 first. A cast alone would make this picture white, because values above 1 become
# 255.

file = io.BytesIO()
save_image(pixels.float() / 255, file, format="png")
print(Image.open(file).getpixel((0, 0)))
# => (200, 200, 200)
file = io.BytesIO()
save_image(pixels.float(), file, format="png")
print(Image.open(file).getpixel((0, 0)))
# => (255, 255, 255)

# %%
# Pillow takes the array of the ``uint8`` tensor as it is.

print(Image.fromarray(pixels.permute(1, 2, 0).numpy()).getpixel((0, 0)))
# => (200, 200, 200)

# %%
# Arrays
# ------
#
# Arrays and lists of arrays are refused, each function in its own words.

array = np.zeros((4, 5, 3), dtype=np.uint8)
boxes = torch.tensor([[1.0, 1.0, 3.0, 3.0]])
masks = torch.zeros(4, 5, dtype=torch.bool)
for call in (
    lambda: make_grid(array),
    lambda: make_grid([array]),
    lambda: draw_bounding_boxes(array, boxes),
    lambda: draw_segmentation_masks(array, masks),
):
    try:
        call()
    except TypeError as error:
        print(error)
# => tensor or list of tensors expected, got <class 'numpy.ndarray'>
# => tensor or list of tensors expected, got a list containing <class 'numpy.ndarray'>
# => Tensor expected, got <class 'numpy.ndarray'>
# => The image must be a tensor, got <class 'numpy.ndarray'>
image = torch.from_numpy(array).permute(2, 0, 1)
print(draw_bounding_boxes(image, boxes).shape, draw_segmentation_masks(image, masks).shape)
# => torch.Size([3, 4, 5]) torch.Size([3, 4, 5])
print(make_grid([image, image]).shape)
# => torch.Size([3, 8, 16])

# %%
# Dtypes and batches
# ------------------
#
# The drawing functions take one image. Before torchvision took floats as well, ``draw_bounding_boxes``
# said ``Tensor uint8 expected, got torch.float32``: multiply by 255, round and cast there.

for call in (
    lambda: draw_bounding_boxes(image[None], boxes),
    lambda: draw_bounding_boxes(image.long(), boxes),
    lambda: draw_segmentation_masks(image, masks.float()),
):
    try:
        call()
    except ValueError as error:
        print(error)
# => Pass individual images, not batches
# => The image dtype must be uint8 or float, got torch.int64
# => The masks must be of dtype bool. Got torch.float32
unit = torch.rand(3, 4, 5)
print(draw_bounding_boxes((unit * 255).round().to(torch.uint8), boxes).dtype)
# => torch.uint8

# %%
# The boxes of a model are tensors too: an array of boxes has no ``to``. The result goes to
# Matplotlib as ``drawn.permute(1, 2, 0).cpu().numpy()``, and to OpenCV with the channels reversed.

drawn = draw_bounding_boxes(image, torch.from_numpy(np.array([[1.0, 1.0, 3.0, 3.0]])))
print(drawn.permute(1, 2, 0).cpu().numpy().shape)
# => (4, 5, 3)
