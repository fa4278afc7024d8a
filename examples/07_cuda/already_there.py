"""
Does to("cuda") copy when the tensor is there already?
======================================================

``to("cuda")`` and ``cuda()`` return the tensor itself when it is on that GPU already, so changing
the result changes the original. Pass ``copy=True`` to get a copy in any case.
"""

# sphinx_gallery_tags = ["cuda", "device", "copy"]

import torch

# %%
# A tensor that is already in the right place is returned as it is, by every
# spelling; so say the documentation of `to
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__ and `cuda
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.cuda.html>`__.

tensor = torch.tensor([1.0, 2.0, 3.0], device="cuda")
print(tensor.to("cuda") is tensor)
# => True
print(tensor.cuda() is tensor)
# => True
print(tensor.cuda(0) is tensor)
# => True

# %%
# So the same two lines edit a copy when ``tensor`` was on the CPU, and the
# tensor itself when it was on the GPU.

moved = tensor.to("cuda")
moved[0] = 100
print(tensor)
# => tensor([100.,   2.,   3.], device='cuda:0')

# %%
# Ask for the copy where one is needed: ``copy=True`` makes one from any device,
# and :meth:`torch.Tensor.clone` makes one in place of the move.

copied = tensor.to("cuda", copy=True)
copied[0] = -1
print(tensor[0])
# => tensor(100., device='cuda:0')

# %%
# Another dtype alone makes a new tensor without a move. CPU tensors follow the
# same rules, as :doc:`/gallery/08_devices/same_object` shows.

precise = tensor.to(torch.float64)
print(precise is tensor)
# => False
print(precise.device)
# => cuda:0
