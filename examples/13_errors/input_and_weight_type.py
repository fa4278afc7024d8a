"""
RuntimeError: Input type (torch.FloatTensor) … torch.cuda.FloatTensor
=====================================================================

The type with ``cuda`` in its name is on the GPU and the other is on the CPU: move the input to the
model's device, and assign the result of ``to``.

.. fix::

   - model(batch)
   + batch = batch.to(device)
   + model(batch)
"""

# sphinx_gallery_tags = ["cuda", "device", "modules", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# This convolution prints the old names of tensor types, which combine device and dtype:
# ``torch.cuda.FloatTensor`` is ``float32`` on a GPU.

device = torch.device("cuda")
model = torch.nn.Conv2d(3, 8, kernel_size=3).to(device)
batch = torch.from_numpy(np.ones((16, 3, 8, 8), dtype=np.float32))
try:
    model(batch)
except RuntimeError as error:
    print(str(error).split(" or ")[0])
# => Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same

# %%
# For a single small image, the same mistake has another message: torch then takes a different
# implementation of the convolution. Linear layers word it like this too:
# :doc:`/gallery/13_errors/mixed_devices`.

try:
    model(batch[:1])
except RuntimeError as error:
    print(str(error).split(", but")[0])
# => Expected all tensors to be on the same device

# %%
# If the names are the other way round, the model is still on the CPU.

left_behind = torch.nn.Conv2d(3, 8, kernel_size=3)
try:
    left_behind(batch.to(device))
except RuntimeError as error:
    print(str(error).split(" or ")[0])
# => Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same

# %%
# The fix
# -------
#
# Move each batch at the start of the loop and assign the result, because ``to`` does not move the
# tensor itself. If the weight is the one without ``cuda``, move the model instead, ``model.to(device)``. That
# does not reach layers in a plain list: keep them in a ``ModuleList``.

batch = batch.to(device)
print(model(batch).device)
# => cuda:0

# %%
# A module moves in place, with its registered parameters and buffers.

left_behind.to(device)
print(left_behind(batch).device)
# => cuda:0

# %%
# What does not help
# ------------------
#
# If you do not assign the result, the copy on the GPU is lost.

batch = batch.cpu()
batch.to(device)
print(batch.device)
# => cpu

# %%
# If a layer is in a plain list, it does not belong to the model, so it does not move with the
# model. Keep layers in a :class:`torch.nn.ModuleList`.


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = [torch.nn.Conv2d(3, 8, kernel_size=3)]
        self.layers = torch.nn.ModuleList([torch.nn.Conv2d(3, 8, kernel_size=3)])


model = Model().to(device)
print(model.plain[0].weight.device, model.layers[0].weight.device)
# => cpu cuda:0

# %%
# Changing the dtype does not move the tensor. If both names contain ``cuda``, the dtypes differ:
# :doc:`/gallery/13_errors/input_and_bias_type`.

print(batch.float().device)
# => cpu
