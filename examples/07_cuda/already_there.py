"""
Does to("cuda") copy when the tensor is there already?
======================================================

``to("cuda")`` and ``cuda()`` return the tensor itself when it is on that GPU already, so changing
the result changes the original. Pass ``copy=True`` to get a copy in any case.
"""

# sphinx_gallery_tags = ["cuda", "device", "copy"]

import torch

# %%
# If a tensor is already on the GPU, all of these calls return the tensor itself, as documented for
# `to <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__ and `cuda
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.cuda.html>`__.

tensor = torch.tensor([1.0, 2.0, 3.0], device="cuda")
print(tensor.to("cuda") is tensor)
# => True
print(tensor.cuda() is tensor)
# => True
print(tensor.cuda(0) is tensor)
# => True

# %%
# Be careful with an in-place change after the move: it changes a copy if ``tensor`` was on the CPU,
# but the original if it was already on the GPU.

moved = tensor.to("cuda")
moved[0] = 100
print(tensor)
# => tensor([100.,   2.,   3.], device='cuda:0')

# %%
# If you need a copy, ask for one: ``to`` with ``copy=True`` copies from the GPU too, and
# :meth:`torch.Tensor.clone` copies on the tensor's own device.

copied = tensor.to("cuda", copy=True)
copied[0] = -1
print(tensor[0])
# => tensor(100., device='cuda:0')

# %%
# Here a change of the dtype alone gives a new tensor on the same device. For CPU tensors see
# :doc:`/gallery/08_devices/same_object`.

precise = tensor.to(torch.float64)
print(precise is tensor)
# => False
print(precise.device)
# => cuda:0
