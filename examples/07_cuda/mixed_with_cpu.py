"""
CUDA tensor with CPU tensor: which one to move
==============================================

``Expected all tensors to be on the same device`` with ``cuda:0 and cpu`` means that one operand is
on the CPU. Move it with ``y.to(x.device)``, or copy the CUDA tensor back with ``x.cpu()``.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "error"]

import torch

# %%
# Both tensors start on the CPU, and the code moves one of them. :meth:`torch.Tensor.to` returns a
# new tensor, so assign the result.

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
y = torch.tensor([[10.0, 20.0], [30.0, 40.0]])
x = x.to("cuda")
print(x)
# => tensor([[1., 2.],
# =>         [3., 4.]], device='cuda:0')

# %%
# PyTorch `does not move operands by itself
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__. The message names
# the GPU first in both orders, so it does not show which operand to move.

try:
    x + y
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
try:
    y - x
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!

# %%
# If you need the result on the CPU, for NumPy for example, copy the CUDA tensor back.

z = x.to("cpu") + y
print(z)
# => tensor([[11., 22.],
# =>         [33., 44.]])
print(z.numpy().sum())
# => 110.0

# %%
# If more GPU work follows, move the CPU tensor to the GPU. Use ``x.device``, so that you need not
# name a GPU. In some cases you need not move it: :doc:`/gallery/07_cuda/cpu_exceptions`.

z = x + y.to(x.device)
print(z.device)
# => cuda:0
