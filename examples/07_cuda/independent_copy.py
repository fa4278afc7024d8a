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
# One array, the tensor that views it, and the tensor that was moved.

array = np.array([1.0, 2.0, 3.0])
host = torch.from_numpy(array)
remote = host.to("cuda")

# %%
# A write to the array is seen through the view and not on the GPU. The moved
# tensor has memory of its own.

array[0] = 100
print(host)
# => tensor([100.,   2.,   3.], dtype=torch.float64)
print(remote)
# => tensor([1., 2., 3.], device='cuda:0', dtype=torch.float64)

# %%
# Work on the GPU does not come back either.

remote.mul_(-1)
print(array)
# => [100.   2.   3.]

# %%
# :func:`torch.as_tensor` shares with an array only where it can. A CUDA device
# rules that out, so here it copies like :func:`torch.tensor`.

shared = torch.as_tensor(array)
moved = torch.as_tensor(array, device="cuda")
array[1] = 200
print(shared[1], moved[1])
# => tensor(200., dtype=torch.float64) tensor(2., device='cuda:0', dtype=torch.float64)

# %%
# Refresh the GPU explicitly; ``copy_`` reuses its memory. One condition remains:
# a copy must have finished. While a non-blocking one is pending, NumPy does
# reach the GPU: :doc:`/gallery/07_cuda/pending_upload`.

address = remote.data_ptr()
remote.copy_(host)
print(remote)
# => tensor([100., 200.,   3.], device='cuda:0', dtype=torch.float64)
print(remote.data_ptr() == address)
# => True
