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
# Numba compiles a Python function for the GPU. Inside there are elements, not tensors: each thread
# finds its position and works on one of them.


@cuda.jit
def add_one(values):
    position = cuda.grid(1)
    if position < values.size:
        values[position] += 1


# %%
# A kernel takes a tensor as it is. Numba reads :doc:`its interface
# </gallery/07_cuda/cuda_array_interface>`, so the kernel writes to the tensor's own memory.

tensor = torch.zeros(1_000_000, device="cuda")
add_one[4096, 256](tensor)
print(tensor.unique())
# => tensor([1.], device='cuda:0')

# %%
# ``as_cuda_array`` makes the same view once, for several launches.

view = cuda.as_cuda_array(tensor)
add_one[4096, 256](view)
print(view.shape, view.dtype)
# => (1000000,) float32
print(tensor.unique())
# => tensor([2.], device='cuda:0')

# %%
# The view has transfers of its own, to and from NumPy. They are copies across the bus like those of
# torch.

view.copy_to_device(np.full(1_000_000, 5, dtype=np.float32))
print(tensor.unique())
# => tensor([5.], device='cuda:0')
array = view.copy_to_host()
array[:] = 0
print(tensor.unique())
# => tensor([5.], device='cuda:0')

# %%
# Numba launches on the default stream, as torch does unless told otherwise. With
# ``torch.cuda.stream`` in the program, wait as in :doc:`/gallery/07_cuda/side_stream`: torch's
# interface names no stream for `Numba to wait for
# <https://nvidia.github.io/numba-cuda/user/cuda_array_interface.html>`__.

side = torch.cuda.Stream()
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    tensor.fill_(9)
side.synchronize()
add_one[4096, 256](tensor)
print(tensor.unique())
# => tensor([10.], device='cuda:0')
