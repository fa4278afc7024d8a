"""
tensor[mask] = values on a CUDA tensor
======================================

``tensor[mask] = values`` on a CUDA tensor takes a mask from the CPU, but the values must be on its
device and of its dtype: write ``tensor[mask] = values.to(tensor)``.
"""

# sphinx_gallery_tags = ["cuda", "indexing", "mask", "assignment", "error"]

import numpy as np
import torch

# %%
# The index may come from the host, as an array or a tensor, and so may a single number. Each use
# sends the index over again.

grid = torch.zeros(4, device="cuda")
mask = np.array([True, False, True, False])
grid[mask] = 5.0
grid[torch.tensor([1])] = np.float64(2.5)
print(grid)
# => tensor([5.0000, 2.5000, 5.0000, 0.0000], device='cuda:0')

# %%
# Values for a slice may come from the host too, and are converted: these are ``float64``. It is a
# plain copy, as in :doc:`/gallery/07_cuda/cpu_exceptions`.

values = torch.from_numpy(np.array([7.0, 8.0]))
grid[:2] = values
print(grid)
# => tensor([7., 8., 5., 0.], device='cuda:0')

# %%
# Values for a mask or for positions are an operand of a kernel. They must be on the same device.

try:
    grid[mask] = values.float()
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# And of the same dtype, on the CPU likewise. A move alone does not do it.

try:
    grid[mask] = values.to("cuda")
except RuntimeError as error:
    print(error)
# => Index put requires the source and destination dtypes match, got Float for the destination and Double for the source.

# %%
# ``to(grid)`` takes both from the tensor, on any machine.

grid[mask] = values.to(grid)
print(grid)
# => tensor([7., 8., 8., 0.], device='cuda:0')

# %%
# An array as the value is refused before any of this. The other direction, an index on the GPU for
# a CPU tensor, is :doc:`/gallery/13_errors/index_on_gpu`.

try:
    grid[:2] = np.array([7.0, 8.0])
except TypeError as error:
    print(type(error).__name__)
# => TypeError
