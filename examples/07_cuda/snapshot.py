"""
Is cpu().numpy() a copy or shared memory?
=========================================

From a CUDA tensor ``cpu().numpy()`` is a copy that later changes do not reach; from a CPU tensor it
shares memory. ``tensor.to("cpu", copy=True).numpy()`` copies on both.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "copy"]

import torch

# %%
# From the GPU, :meth:`torch.Tensor.cpu` must copy. The array is a snapshot:
# later work on the tensor does not reach it.

state = torch.tensor([1.0, 2.0, 3.0], device="cuda")
before = state.cpu().numpy()
state += 10
print(before)
# => [1. 2. 3.]
print(state)
# => tensor([11., 12., 13.], device='cuda:0')

# %%
# Nor do writes go the other way. An edit of the array has to be sent back.

before[0] = -1
print(state[0])
# => tensor(11., device='cuda:0')
state.copy_(torch.from_numpy(before))
print(state)
# => tensor([-1.,  2.,  3.], device='cuda:0')

# %%
# The same expression on a CPU tensor is no snapshot: ``cpu()`` has nothing to
# do, returns the tensor itself, and ``numpy()`` shares its memory.

state = torch.tensor([1.0, 2.0, 3.0])
before = state.cpu().numpy()
state += 10
print(before)
# => [11. 12. 13.]

# %%
# Code that runs on both needs a copy that is always one.
# ``to("cpu", copy=True)`` copies exactly once wherever the tensor is.

state = torch.tensor([1.0, 2.0, 3.0])
before = state.to("cpu", copy=True).numpy()
state += 10
print(before)
# => [1. 2. 3.]
