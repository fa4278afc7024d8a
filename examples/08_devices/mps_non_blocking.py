"""
Apple GPU: reading a non_blocking copy too early
================================================

On an Apple GPU leave ``non_blocking`` out: a copy that returns early may read memory that is gone,
or hand you values that have not arrived, and nothing raises.
"""

# sphinx_gallery_tags = ["mps", "non_blocking", "device", "silent"]

import numpy as np
import torch

# %%
# An ordinary move waits until the values are there. It is right on every device.

array = np.arange(4, dtype=np.float32)
tensor = torch.from_numpy(array).to("mps")
print(tensor.cpu())
# => tensor([0., 1., 2., 3.])

# %%
# With ``non_blocking=True`` the copy to the GPU may still be going on when Python drops or reuses
# the source. Reports of random values are `issue 139550
# <https://github.com/pytorch/pytorch/issues/139550>`__, and with the cause `issue 189690
# <https://github.com/pytorch/pytorch/issues/189690>`__. If you must, keep the source alive and
# unchanged until ``torch.mps.synchronize`` has returned.

source = torch.from_numpy(array)
moved = source.to("mps", non_blocking=True)
torch.mps.synchronize()
print(torch.equal(moved.cpu(), source))
# => True

# %%
# On the way back the danger is larger: the CPU tensor exists at once, its values come later. NumPy
# does not wait for a GPU. Synchronise before the first look, or write plain ``cpu()``.

host = (moved * 2).to("cpu", non_blocking=True)
torch.mps.synchronize()
print(host.numpy())
# => [0. 2. 4. 6.]

# %%
# Training loops pass ``non_blocking=True`` for the sake of CUDA, where a copy from pinned memory is
# ordered before the kernels that use it. Make it depend on the device.

batch = torch.from_numpy(array).to("mps", non_blocking=tensor.device.type == "cuda")
print(batch.sum())
# => tensor(6., device='mps:0')

# %%
# The same function is what a timing needs, since the GPU works on after Python has gone on:
# ``torch.mps.synchronize`` before the clock is read. The rules for CUDA are in
# :doc:`/gallery/07_cuda/early_download`.

product = batch @ batch
torch.mps.synchronize()
print(product.item())
# => 14.0
