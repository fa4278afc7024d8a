"""
tensor[mask] = values on a CUDA tensor
======================================

``tensor[mask] = values`` on a CUDA tensor accepts a mask on the CPU, but raises for several values
on the CPU or of another dtype: write ``tensor[mask] = values.to(tensor)``.
"""

# sphinx_gallery_tags = ["cuda", "indexing", "mask", "assignment", "error"]

import numpy as np
import torch

# %%
# The index may be an array or a CPU tensor, and the value may be a Python number or a
# ``np.float64``. The index is copied to the GPU on each use.

grid = torch.zeros(4, device="cuda")
mask = np.array([True, False, True, False])
grid[mask] = 5.0
grid[torch.tensor([1])] = np.float64(2.5)
print(grid)
# => tensor([5.0000, 2.5000, 5.0000, 0.0000], device='cuda:0')

# %%
# When you assign to a slice, the values may be on the CPU too, and their dtype is converted: these
# are ``float64``. This is a plain copy, as in :doc:`/gallery/07_cuda/cpu_exceptions`.

values = torch.from_numpy(np.array([7.0, 8.0]))
grid[:2] = values
print(grid)
# => tensor([7., 8., 5., 0.], device='cuda:0')

# %%
# When you assign to a mask, several values on the CPU raise.

try:
    grid[mask] = values.float()
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# Several values of another dtype raise too, as on the CPU. Moving them is not enough.

try:
    grid[mask] = values.to("cuda")
except RuntimeError as error:
    print(error)
# => Index put requires the source and destination dtypes match, got Float for the destination and Double for the source.

# %%
# ``values.to(grid)`` converts both device and dtype to those of ``grid``.

grid[mask] = values.to(grid)
print(grid)
# => tensor([7., 8., 8., 0.], device='cuda:0')

# %%
# An array as the value raises for a slice too. For an index on the GPU and a tensor on the CPU, see
# :doc:`/gallery/13_errors/index_on_gpu`.

try:
    grid[:2] = np.array([7.0, 8.0])
except TypeError as error:
    print(type(error).__name__)
# => TypeError
