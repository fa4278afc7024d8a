"""
RuntimeError: Input type (torch.FloatTensor) … torch.cuda.FloatTensor
=====================================================================

The type with ``cuda`` in its name is on the GPU and the other is not: move the input to the model's
device, and use what ``to`` returns.

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
# Convolutions print the old names of tensor types, which join device and dtype:
# ``torch.cuda.FloatTensor`` is ``float32`` on a GPU. Other operations name the devices instead:
# :doc:`/gallery/13_errors/mixed_devices`.

device = torch.device("cuda")
model = torch.nn.Conv2d(1, 1, kernel_size=2).to(device)
batch = torch.from_numpy(np.ones((1, 1, 3, 3), dtype=np.float32))
try:
    model(batch)
except RuntimeError as error:
    print(str(error).split(" or ")[0])
# => Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same

# %%
# The other way round it is the model that was left on the CPU.

left_behind = torch.nn.Conv2d(1, 1, kernel_size=2)
try:
    left_behind(batch.to(device))
except RuntimeError as error:
    print(str(error).split(" or ")[0])
# => Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same

# %%
# The fix
# -------
#
# Move each batch where it enters, and use the result: ``to`` returns another tensor.

batch = batch.to(device)
print(model(batch).device)
# => cuda:0

# %%
# A module moves in place, with all parameters and buffers that it has registered.

left_behind.to(device)
print(left_behind(batch).device)
# => cuda:0

# %%
# What does not help
# ------------------
#
# Without an assignment the copy on the GPU is discarded.

batch = batch.cpu()
batch.to(device)
print(batch.device)
# => cpu

# %%
# A layer in a plain list is no part of the model, and stays behind when the model moves. Keep layers
# in a :class:`torch.nn.ModuleList`.


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = [torch.nn.Conv2d(1, 1, kernel_size=2)]
        self.layers = torch.nn.ModuleList([torch.nn.Conv2d(1, 1, kernel_size=2)])


model = Model().to(device)
print(model.plain[0].weight.device, model.layers[0].weight.device)
# => cpu cuda:0

# %%
# A change of dtype does not move anything. Where both names have ``cuda`` or neither has, the dtype
# is what differs, and the input needs ``float()``: :doc:`/gallery/13_errors/input_and_bias_type`.

print(batch.float().device)
# => cpu
