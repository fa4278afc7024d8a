"""
When a CPU tensor works with a CUDA tensor
==========================================

A CPU tensor works with a CUDA tensor without a move if it is 0-d in arithmetic, is an index in
brackets, or is the source of ``copy_`` or of a slice assignment. Arithmetic with a larger one
raises.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "assignment", "copy", "correction"]

import numpy as np
import torch

# %%
# In arithmetic, a 0-d CPU tensor counts as a number, as PyTorch `documents
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__.

grid = torch.tensor([1.0, 2.0, 3.0], device="cuda")
print(grid * torch.tensor(2.0))
# => tensor([2., 4., 6.], device='cuda:0')

# %%
# A 1-d tensor with one element does not count as a number. The exception does not work the other
# way round either: a 1-d CPU tensor times a 0-d CUDA tensor raises.

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
# The index in brackets may be on the CPU: you can select from a CUDA tensor with a CPU tensor or an
# array. PyTorch transfers the index on each use, so move an index that you use repeatedly.

print(grid[torch.tensor([2, 0])])
# => tensor([3., 1.], device='cuda:0')
print(grid[np.array([True, False, True])])
# => tensor([1., 3.], device='cuda:0')

# %%
# The reverse raises: selecting from a CPU tensor with CUDA indices (`issue 90194
# <https://github.com/pytorch/pytorch/issues/90194>`__).

try:
    torch.ones(3)[torch.tensor([2, 0], device="cuda")]
except RuntimeError as error:
    print(error)
# => indices should be either on cpu or on the same device as the indexed tensor (cpu)

# %%
# :meth:`torch.Tensor.copy_` and slice assignment accept a source on another device. They also
# convert the dtype: this array is ``float64``, and ``grid`` stays ``float32``. Arithmetic with a
# longer CPU tensor raises: :doc:`/gallery/07_cuda/mixed_with_cpu`.

grid.copy_(torch.tensor([7.0, 8.0, 9.0]))
grid[:2] = torch.from_numpy(np.array([0.5, 1.5]))
print(grid)
# => tensor([0.5000, 1.5000, 9.0000], device='cuda:0')
