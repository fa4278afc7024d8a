"""
CUDA tensor with CPU tensor: which one to move
==============================================

``Expected all tensors to be on the same device`` with ``cuda:0 and cpu`` means that one operand is
on the CPU. Move it with ``y.to(x.device)``, or copy the CUDA tensor back with ``x.cpu()``.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "error"]

import torch

# %%
# Two tensors start on the CPU, and one of them moves.
# :meth:`torch.Tensor.to` returns a new tensor, so the name must be bound again.

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
y = torch.tensor([[10.0, 20.0], [30.0, 40.0]])
x = x.to("cuda")
print(x)
# => tensor([[1., 2.],
# =>         [3., 4.]], device='cuda:0')

# %%
# PyTorch `moves no operand on its own
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__.
# The message names the GPU first whichever side it is on, so it does not tell
# which operand to move.

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
# Bring the CUDA tensor back when the result is wanted on the host, say for
# NumPy.

z = x.to("cpu") + y
print(z)
# => tensor([[11., 22.],
# =>         [33., 44.]])
print(z.numpy().sum())
# => 110.0

# %%
# Send the CPU tensor over when more GPU work follows. ``x.device`` names the
# target without naming a GPU. The mixtures that need no move at all are in
# :doc:`/gallery/07_cuda/cpu_exceptions`.

z = x + y.to(x.device)
print(z.device)
# => cuda:0
