"""
Meta tensor to NumPy: there are no values
=========================================

A ``meta`` tensor has no values, so ``numpy()``, ``cpu()`` and ``force=True`` raise. Make a real
tensor with ``torch.empty_like(plan, device="cpu")``, or a module with ``to_empty``, and fill it.
"""

# sphinx_gallery_tags = ["meta", "device", "error"]

import numpy as np
import torch

# %%
# A tensor on `the meta device <https://docs.pytorch.org/docs/stable/meta.html>`__ has a shape,
# strides and a dtype, and torch computes the same for this product. There are no values to print.

plan = torch.ones(2, 3, device="meta") @ torch.ones(3, 4, device="meta")
print(plan)
# => tensor(..., device='meta', size=(2, 4))

# %%
# ``numpy()`` raises because of the device, and the message advises a copy to the host.

try:
    plan.numpy()
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# That advice does not help, and neither does ``force=True``: there are no values to copy
# (:doc:`/gallery/13_errors/meta_tensor`).

try:
    plan.cpu()
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data!
try:
    plan.numpy(force=True)
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data!

# %%
# Make a real tensor of the same shape and dtype, and fill it, here from an array. ``empty_like``
# does not initialise the memory, so fill the whole tensor.

real = torch.empty_like(plan, device="cpu")
real.copy_(torch.from_numpy(np.arange(8.0).reshape(2, 4)))
print(real)
# => tensor([[0., 1., 2., 3.],
# =>         [4., 5., 6., 7.]])

# %%
# A module built on ``meta`` has ``to_empty`` for this, as the message of ``to`` says. Load the
# weights afterwards, because they are uninitialised too.

layer = torch.nn.Linear(2, 1, device="meta")
try:
    layer.to("cpu")
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different device.
layer = layer.to_empty(device="cpu")
print(layer.weight.device, layer.weight.shape)
# => cpu torch.Size([1, 2])
