"""
Meta tensor to NumPy: there are no values
=========================================

A ``meta`` tensor has no values, so ``numpy()``, ``cpu()`` and ``force=True`` all raise. Make a real
tensor with ``torch.empty_like(plan, device="cpu")``, or a module with ``to_empty``, and fill it.
"""

# sphinx_gallery_tags = ["meta", "device", "error"]

import numpy as np
import torch

# %%
# A tensor on `the meta device <https://docs.pytorch.org/docs/stable/meta.html>`__
# has shape, strides and dtype, and computes those of results. There are no
# values to print.

plan = torch.ones(2, 3, device="meta") @ torch.ones(3, 4, device="meta")
print(plan)
# => tensor(..., device='meta', size=(2, 4))

# %%
# ``numpy()`` refuses it for its device, and advises a copy to the host.

try:
    plan.numpy()
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# The advice cannot help. Nor can ``force=True``: neither has anything to copy
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
# Make a real tensor from the description and fill it, here from an array.
# ``empty_like`` gives memory with arbitrary content, so fill all of it.

real = torch.empty_like(plan, device="cpu")
real.copy_(torch.from_numpy(np.arange(8.0).reshape(2, 4)))
print(real)
# => tensor([[0., 1., 2., 3.],
# =>         [4., 5., 6., 7.]])

# %%
# A module that was built on ``meta`` has a method for this, and its ``to`` names
# it. Load the weights after it, for they are arbitrary too.

layer = torch.nn.Linear(2, 1, device="meta")
try:
    layer.to("cpu")
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different device.
layer = layer.to_empty(device="cpu")
print(layer.weight.device, layer.weight.shape)
# => cpu torch.Size([1, 2])
