"""
When a CPU tensor works with a CUDA tensor
==========================================

A CPU tensor may meet a CUDA tensor without a move when it has no dimensions, is an index, or is the
source of ``copy_`` or of a slice assignment. All other arithmetic raises.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "assignment", "copy", "correction"]

import numpy as np
import torch

# %%
# "A CUDA tensor never works with a CPU tensor" is too strong. A CPU tensor of
# zero dimensions counts as a number; PyTorch `documents the exemption
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__.

grid = torch.tensor([1.0, 2.0, 3.0], device="cuda")
print(grid * torch.tensor(2.0))
# => tensor([2., 4., 6.], device='cuda:0')

# %%
# One element in one dimension is not a scalar, and the exemption has one
# direction only: a CUDA scalar is not fetched for a CPU tensor.

try:
    grid * torch.tensor([2.0])
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
try:
    torch.ones(3) * torch.tensor(2.0, device="cuda")
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!

# %%
# Indices may be on the CPU: a CPU tensor or an array selects from a CUDA
# tensor. PyTorch transfers them on every use, so move a repeated index once.

print(grid[torch.tensor([2, 0])])
# => tensor([3., 1.], device='cuda:0')
print(grid[np.array([True, False, True])])
# => tensor([1., 3.], device='cuda:0')

# %%
# The reverse fails: CUDA indices do not select from a CPU tensor, masks
# included (`issue 90194 <https://github.com/pytorch/pytorch/issues/90194>`__).

try:
    torch.ones(3)[torch.tensor([2, 0], device="cuda")]
except RuntimeError as error:
    print(error)
# => indices should be either on cpu or on the same device as the indexed tensor (cpu)

# %%
# :meth:`torch.Tensor.copy_` and assignment to a slice exist to cross devices.
# They convert the dtype too: this array is ``float64``, ``grid`` stays as it is.
# Other arithmetic is the error of :doc:`/gallery/07_cuda/mixed_with_cpu`.

grid.copy_(torch.tensor([7.0, 8.0, 9.0]))
grid[:2] = torch.from_numpy(np.array([0.5, 1.5]))
print(grid)
# => tensor([0.5000, 1.5000, 9.0000], device='cuda:0')
