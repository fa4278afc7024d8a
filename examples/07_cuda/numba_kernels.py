"""
Numba CUDA kernel on a torch tensor
===================================

Pass a CUDA tensor to a Numba kernel as it is: the kernel writes to the tensor's own memory.
Synchronise first when the tensor is filled on another stream.
"""

# sphinx_gallery_tags = ["cuda", "numba", "array-interface", "sharing"]

import numpy as np
import torch
from numba import cuda

# %%
# Numba compiles a Python function for the GPU, with the package ``numba-cuda``. The function works
# on single elements: each thread computes its position and changes one element. numba-cuda 0.30
# needs NumPy 2.4 or older: with NumPy 2.5 the first launch raised
# ``module 'numpy' has no attribute 'row_stack'``.
#
# A function of ``njit`` runs on the CPU. It takes neither a CUDA tensor nor an array of ``as_cuda_array``: copy
# the tensor first, with ``tensor.detach().cpu().numpy()``.


@cuda.jit
def add_one(values):
    position = cuda.grid(1)
    if position < values.size:
        values[position] += 1


# %%
# You can pass a CUDA tensor to a kernel directly, but no CPU tensor: its type is unknown to Numba
# (:doc:`/gallery/13_errors/numba_type`). Numba reads :doc:`its interface
# </gallery/07_cuda/cuda_array_interface>`, so the kernel writes to the tensor's own memory.

tensor = torch.zeros(1_000_000, device="cuda")
add_one[4096, 256](tensor)
print(tensor.unique())
# => tensor([1.], device='cuda:0')

# %%
# For several launches, call ``as_cuda_array`` once; it gives a view of the same memory.

view = cuda.as_cuda_array(tensor)
add_one[4096, 256](view)
print(view.shape, view.dtype)
# => (1000000,) float32
print(tensor.unique())
# => tensor([2.], device='cuda:0')

# %%
# The view has its own methods to copy to and from NumPy. Like torch's, they copy between CPU and
# GPU.

view.copy_to_device(np.full(1_000_000, 5, dtype=np.float32))
print(tensor.unique())
# => tensor([5.], device='cuda:0')
array = view.copy_to_host()
array[:] = 0
print(tensor.unique())
# => tensor([5.], device='cuda:0')

# %%
# Numba launches on the default stream, as torch does by default. If your program uses
# ``torch.cuda.stream``, wait as in :doc:`/gallery/07_cuda/side_stream`: torch's interface does not
# name a stream for `Numba to wait for
# <https://nvidia.github.io/numba-cuda/user/cuda_array_interface.html>`__.

side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    tensor.fill_(9)
side.synchronize()
add_one[4096, 256](tensor)
print(tensor.unique())
# => tensor([10.], device='cuda:0')
