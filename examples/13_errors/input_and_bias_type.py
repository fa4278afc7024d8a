"""
RuntimeError: Input type (double) and bias type (float) … the same
==================================================================

NumPy makes ``float64`` by default and the layer's weights are ``float32``: cast the input.

.. fix::

   - layer(batch)
   + batch = torch.from_numpy(image).float()
   + layer(batch)
"""

# sphinx_gallery_tags = ["dtype", "modules", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# A convolution wants one dtype for input, weight and bias. Where NumPy made the input, the message
# says ``double``; where an image was read, ``unsigned char``.

layer = torch.nn.Conv2d(1, 1, kernel_size=2)
image = np.zeros((1, 1, 3, 3))
batch = torch.from_numpy(image)
try:
    layer(batch)
except RuntimeError as error:
    print(error)
# => Input type (double) and bias type (float) should be the same
try:
    layer(torch.from_numpy(image.astype(np.uint8)))
except RuntimeError as error:
    print(error)
# => Input type (unsigned char) and bias type (float) should be the same

# %%
# A layer without a bias compares the weight, in other words.

try:
    torch.nn.Conv2d(1, 1, kernel_size=2, bias=False)(batch)
except RuntimeError as error:
    print(error)
# => expected scalar type Double but found Float

# %%
# The fix
# -------
#
# Cast where the data enters. The dtype of a parameter says which one the model wants.

batch = torch.from_numpy(image).float()
print(layer(batch).dtype)
# => torch.float32
print(layer(torch.from_numpy(image).to(layer.weight.dtype)).dtype)
# => torch.float32

# %%
# ``float32`` at the source saves the cast, and half the memory.

narrow = np.zeros((1, 1, 3, 3), dtype=np.float32)
print(layer(torch.from_numpy(narrow)).dtype, narrow.nbytes / image.nbytes)
# => torch.float32 0.5

# %%
# Pixels of ``uint8`` need a scale as well: models are trained on values from 0 to 1, or normalised
# ones.

pixels = np.full((1, 1, 3, 3), 255, dtype=np.uint8)
print((torch.from_numpy(pixels).float() / 255).max())
# => tensor(1.)

# %%
# Works, but slowly
# -----------------
#
# ``double()`` on the model makes every step slower and every tensor twice as large. It changes the
# model in place, so the next ``float32`` input is the one that is refused.

layer.double()
try:
    layer(torch.from_numpy(narrow))
except RuntimeError as error:
    print(error)
# => Input type (float) and bias type (double) should be the same
layer.float()

# %%
# What does not help
# ------------------
#
# ``astype`` without an assignment changes nothing, and neither does ``float()``: both return
# another object.

image.astype(np.float32)
torch.from_numpy(image).float()
print(image.dtype, torch.from_numpy(image).dtype)
# => float64 torch.float64

# %%
# Moving the input is no cast. Names such as ``torch.cuda.DoubleTensor`` and
# ``torch.cuda.FloatTensor`` in an older message join device and dtype; where only ``cuda`` differs,
# see :doc:`/gallery/13_errors/input_and_weight_type`.

print(torch.from_numpy(image).to("cpu").dtype)
# => torch.float64
