"""
RuntimeError: Input type (double) and bias type (float) … the same
==================================================================

NumPy's floats are ``float64`` by default and the layer's weights are ``float32``: cast the input.

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
# This convolution needs the same dtype for input, weight and bias. For a ``float64`` input the message
# says ``double``, for a ``uint8`` image ``unsigned char``.

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
# This layer without a bias raises a different message.

try:
    torch.nn.Conv2d(1, 1, kernel_size=2, bias=False)(batch)
except RuntimeError as error:
    print(error)
# => expected scalar type Double but found Float

# %%
# The fix
# -------
#
# Cast the input first. If you do not know the dtype, use that of a parameter.

batch = torch.from_numpy(image).float()
print(layer(batch).dtype)
# => torch.float32
print(layer(torch.from_numpy(image).to(layer.weight.dtype)).dtype)
# => torch.float32

# %%
# If you create the data as ``float32``, you need no cast, and it takes half the memory.

narrow = np.zeros((1, 1, 3, 3), dtype=np.float32)
print(layer(torch.from_numpy(narrow)).dtype, narrow.nbytes / image.nbytes)
# => torch.float32 0.5

# %%
# Scale ``uint8`` pixels too, if the model was trained on values from 0 to 1.

pixels = np.full((1, 1, 3, 3), 255, dtype=np.uint8)
print((torch.from_numpy(pixels).float() / 255).max())
# => tensor(1.)

# %%
# Works, but slowly
# -----------------
#
# ``double()`` on the model makes its weights twice as large. It changes the model in place, so the
# next ``float32`` input raises.

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
# A layer's ``float()`` works in place, but an array's ``astype`` and a tensor's ``float()`` do not:
# assign their result.

image.astype(np.float32)
torch.from_numpy(image).float()
print(image.dtype, torch.from_numpy(image).dtype)
# => float64 torch.float64

# %%
# Moving the input does not cast it. Older messages have names such as ``torch.cuda.DoubleTensor``
# and ``torch.cuda.FloatTensor``, which combine device and dtype. If only ``cuda`` differs, see
# :doc:`/gallery/13_errors/input_and_weight_type`.

print(torch.from_numpy(image).to("cpu").dtype)
# => torch.float64
