"""
Is cpu().numpy() a copy or shared memory?
=========================================

From a CUDA tensor ``cpu().numpy()`` is a copy that later changes do not reach; from a CPU tensor it
shares memory. ``tensor.to("cpu", copy=True).numpy()`` copies on both.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "copy"]

import torch

# %%
# For a GPU tensor, :meth:`torch.Tensor.cpu` copies. The array is independent: later changes to the
# tensor do not reach it. The other ways to NumPy: :doc:`/gallery/13_errors/cuda_to_numpy`.

state = torch.tensor([1.0, 2.0, 3.0], device="cuda")
before = state.cpu().numpy()
state += 10
print(before)
# => [1. 2. 3.]
print(state)
# => tensor([11., 12., 13.], device='cuda:0')

# %%
# Changes to the array do not reach the GPU tensor either. Copy the array back with ``copy_``.

before[0] = -1
print(state[0])
# => tensor(11., device='cuda:0')
state.copy_(torch.from_numpy(before))
print(state)
# => tensor([-1.,  2.,  3.], device='cuda:0')

# %%
# On a CPU tensor the same expression does not copy: ``cpu()`` returns the tensor itself, and
# ``numpy()`` shares its memory.

state = torch.tensor([1.0, 2.0, 3.0])
before = state.cpu().numpy()
state += 10
print(before)
# => [11. 12. 13.]

# %%
# If your code must work for both, use ``to("cpu", copy=True)``, which copies here too.

state = torch.tensor([1.0, 2.0, 3.0])
before = state.to("cpu", copy=True).numpy()
state += 10
print(before)
# => [1. 2. 3.]
