"""
C pointer to tensor and back: ctypes and data_ptr
=================================================

``np.ctypeslib.as_array(pointer, shape)`` makes an array of C memory, and ``torch.from_numpy`` shares it.
``tensor.data_ptr()`` is the address that a C function needs.
"""

# sphinx_gallery_tags = ["buffer", "sharing", "from_numpy", "lifetime"]

import ctypes

import numpy as np
import torch

# %%
# A pointer has no length, so you name the shape. The dtype follows from the pointer's type. Tensor,
# array and C share the memory.

memory = (ctypes.c_float * 4)(1, 2, 3, 4)
pointer = ctypes.cast(memory, ctypes.POINTER(ctypes.c_float))
array = np.ctypeslib.as_array(pointer, shape=(4,))
tensor = torch.from_numpy(array)
tensor[0] = 9
print(tensor, pointer[0])
# => tensor([9., 2., 3., 4.]) 9.0

# %%
# A pointer that a C function returns does not keep its memory alive: if the owner frees it, the
# array and the tensor read freed memory. If you cannot be sure, copy.

own = tensor.clone()
print(own.data_ptr() == tensor.data_ptr())
# => False

# %%
# A ctypes array has a length and keeps its own memory alive. :func:`torch.frombuffer` takes it without
# NumPy, and needs the dtype.

values = torch.frombuffer(memory, dtype=torch.float32)
print(values)
# => tensor([9., 2., 3., 4.])

# %%
# In the other direction, pass ``data_ptr()`` as a ``void *`` and the number of bytes. ``memset`` stands
# for your C function here.

output = torch.ones(4)
ctypes.memset(ctypes.c_void_p(output.data_ptr()), 0, output.numel() * output.element_size())
print(output)
# => tensor([0., 0., 0., 0.])

# %%
# C reads the numbers as they lie in memory and does not know the strides. Make a transposed tensor
# contiguous first.

table = torch.tensor([[1, 2], [3, 4]])
floats = table.t().contiguous().float()
print(ctypes.cast(floats.data_ptr(), ctypes.POINTER(ctypes.c_float))[:4])
# => [1.0, 3.0, 2.0, 4.0]
transposed = table.float().t()
print(ctypes.cast(transposed.data_ptr(), ctypes.POINTER(ctypes.c_float))[:4])
# => [1.0, 2.0, 3.0, 4.0]

# %%
# Keep the tensor in a variable while C uses it. In ``function(tensor.t().contiguous().data_ptr())``
# a copy, if one is made, is freed before the function reads it. The address of a CUDA tensor is one
# of the GPU, not of the CPU's memory.
