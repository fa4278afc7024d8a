"""
Does a GPU tensor follow changes to its array?
==============================================

A tensor on the GPU is a copy of the array it was made from: later writes to the array do not reach
it. Refresh it with ``gpu_tensor.copy_(torch.from_numpy(array))``.
"""

# sphinx_gallery_tags = ["cuda", "copy", "sharing"]

import numpy as np
import torch

# %%
# The code makes an array, a tensor that shares its memory, and a copy of the tensor on the GPU.

array = np.array([1.0, 2.0, 3.0])
host = torch.from_numpy(array)
remote = host.to("cuda")

# %%
# A write to the array changes the CPU tensor but not the GPU tensor, which has its own memory.

array[0] = 100
print(host)
# => tensor([100.,   2.,   3.], dtype=torch.float64)
print(remote)
# => tensor([1., 2., 3.], device='cuda:0', dtype=torch.float64)

# %%
# Changes on the GPU do not reach the array either.

remote.mul_(-1)
print(array)
# => [100.   2.   3.]

# %%
# :func:`torch.as_tensor` shares memory with this array on the CPU. For a CUDA tensor it copies,
# like :func:`torch.tensor`.

shared = torch.as_tensor(array)
moved = torch.as_tensor(array, device="cuda")
array[1] = 200
print(shared[1], moved[1])
# => tensor(200., dtype=torch.float64) tensor(2., device='cuda:0', dtype=torch.float64)

# %%
# Use ``copy_`` to update the GPU tensor; it reuses the memory. This holds once a copy has finished.
# While a non-blocking copy is pending, a write to the array can still reach the GPU:
# :doc:`/gallery/07_cuda/pending_upload`.

address = remote.data_ptr()
remote.copy_(host)
print(remote)
# => tensor([100., 200.,   3.], device='cuda:0', dtype=torch.float64)
print(remote.data_ptr() == address)
# => True
