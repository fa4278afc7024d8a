"""
Apple GPU: reading a non_blocking copy too early
================================================

On an Apple GPU leave ``non_blocking`` out: such a copy may read memory that was freed, or return
before its values have arrived, without an error.
"""

# sphinx_gallery_tags = ["mps", "non_blocking", "device", "silent"]

import numpy as np
import torch

# %%
# A move waits until the values have arrived, unless you pass ``non_blocking``.

array = np.arange(4, dtype=np.float32)
tensor = torch.from_numpy(array).to("mps")
print(tensor.cpu())
# => tensor([0., 1., 2., 3.])

# %%
# With ``non_blocking=True`` the copy to the GPU may still be running when Python frees or reuses
# the source. Users report random values in `issue 139550
# <https://github.com/pytorch/pytorch/issues/139550>`__; `issue 189690
# <https://github.com/pytorch/pytorch/issues/189690>`__ explains the cause. If you need
# ``non_blocking``, keep the source alive and unchanged until ``torch.mps.synchronize`` has
# returned.

source = torch.from_numpy(array)
moved = source.to("mps", non_blocking=True)
torch.mps.synchronize()
print(torch.equal(moved.cpu(), source))
# => True

# %%
# With a copy back to the CPU, the CPU tensor exists at once, but its values may arrive later. NumPy
# does not wait for a GPU. Synchronise before you read the values, or call plain ``cpu()``.

host = (moved * 2).to("cpu", non_blocking=True)
torch.mps.synchronize()
print(host.numpy())
# => [0. 2. 4. 6.]

# %%
# Training loops pass ``non_blocking=True`` for uploads. On CUDA a copy from pinned memory finishes
# before later kernels on the same stream start. In code for both, pass it on CUDA and not on MPS.

batch = torch.from_numpy(array).to("mps", non_blocking=tensor.device.type == "cuda")
print(batch.sum())
# => tensor(6., device='mps:0')

# %%
# To time work on the GPU, call ``torch.mps.synchronize`` before you read the clock, because Python
# does not wait for the GPU to finish. The rules for CUDA are in
# :doc:`/gallery/07_cuda/early_download`.

product = batch @ batch
torch.mps.synchronize()
print(product.item())
# => 14.0
