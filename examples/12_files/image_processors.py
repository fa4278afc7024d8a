"""
Image processors of transformers: channels first or last
========================================================

A processor guesses the layout from an axis of 1 or 3. For other channel counts pass
``input_data_format="channels_first"``, with ``image_mean`` and ``image_std`` of as many values.
"""

# sphinx_gallery_tags = ["transformers", "image", "layout", "error"]

import logging

import numpy as np
from transformers import ViTImageProcessorPil

logging.getLogger("transformers").setLevel(logging.ERROR)
processor = ViTImageProcessorPil(size={"height": 8, "width": 8})

# %%
# An RGB array converts with either layout, and the result has the channels first.

print(processor(np.zeros((16, 12, 3), "uint8"), return_tensors="pt")["pixel_values"].shape)
# => torch.Size([1, 3, 8, 8])
print(processor(np.zeros((3, 16, 12), "uint8"), return_tensors="pt")["pixel_values"].shape)
# => torch.Size([1, 3, 8, 8])

# %%
# With six channels, the processor finds no axis of 1 or 3. Name the layout, and give the mean and the
# deviation of each channel. Pillow resizes up to four channels, so resize such an array before, for
# example with :func:`torch.nn.functional.interpolate`.

bands = np.zeros((6, 8, 8), "uint8")
try:
    processor(bands, return_tensors="pt")
except ValueError as error:
    print(error)
# => Unable to infer channel dimension format
options = {"do_resize": False, "image_mean": [0.5] * 6, "image_std": [0.5] * 6}
result = processor(bands, input_data_format="channels_first", return_tensors="pt", **options)
print(result["pixel_values"].shape)
# => torch.Size([1, 6, 8, 8])

# %%
# An image that is one pixel high is ambiguous: its first axis passes for a single channel, and the
# mean of three channels does not fit.

strip = np.zeros((1, 16, 3), "uint8")
try:
    processor(strip, return_tensors="pt")
except ValueError as error:
    print(error)
# => mean must have 1 elements if it is an iterable, got 3
result = processor(strip, input_data_format="channels_last", return_tensors="pt")
print(result["pixel_values"].shape)
# => torch.Size([1, 3, 8, 8])

# %%
# This image has a fourth channel, for transparency. Take the first three, or open it with
# ``convert("RGB")``.

transparent = np.zeros((16, 12, 4), "uint8")
try:
    processor(transparent, return_tensors="pt")
except ValueError as error:
    print(error)
# => mean must have 4 elements if it is an iterable, got 3
print(processor(transparent[..., :3], return_tensors="pt")["pixel_values"].shape)
# => torch.Size([1, 3, 8, 8])
