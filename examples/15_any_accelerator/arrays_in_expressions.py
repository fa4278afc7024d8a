"""
NumPy array times a tensor on an accelerator: which side fails
==============================================================

Move the array to the tensor first, ``x * torch.from_numpy(array).to(x.device)``: arithmetic of an
array and a tensor on an accelerator raises in either order. Real numbers work, NumPy's too.
"""

# sphinx_gallery_tags = ["device", "mixed", "operators", "error"]

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# This page uses ``lazy`` as the accelerator: it needs no hardware and is in PyTorch's packages. If
# the array is on the left, Python tries NumPy first, then torch, and here reports that neither
# supports the other type.

torch._lazy.ts_backend.init()
x = torch.tensor([1.0, 2.0, 3.0], device="lazy")
array = np.ones(3, dtype=np.float32)
try:
    array * x
except TypeError as error:
    print(error)
# => unsupported operand type(s) for *: 'numpy.ndarray' and 'Tensor'

# %%
# If the tensor is on the left, NumPy tries to convert it, and you get the message about the device.

try:
    x * array
except TypeError as error:
    print(error)
# => can't convert lazy:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# These functions of NumPy convert their argument, so they raise the same error.

for function in (np.sqrt, np.square, np.cumprod):
    try:
        print(function(x))
    except TypeError as error:
        print(str(error).partition(".")[0])
# => can't convert lazy:0 device type tensor to numpy
# => can't convert lazy:0 device type tensor to numpy
# => can't convert lazy:0 device type tensor to numpy

# %%
# Choose where to compute. To compute on the tensor's device, move the array there:

print(x * torch.from_numpy(array).to(x.device))
# => tensor([1., 2., 3.], device='lazy:0')

# %%
# To compute in NumPy, copy the tensor to the CPU:

print(x.cpu().numpy() * array)
# => [1. 2. 3.]

# %%
# These numbers have no device, and work on either side.

print(x * 2.0, np.float32(2) * x, x * np.float32(2))
# => tensor([2., 4., 6.], device='lazy:0') tensor([2., 4., 6.], device='lazy:0') tensor([2., 4., 6.], device='lazy:0')

# %%
# An array of positions works as an index here, because torch moves it to the tensor's device. As the
# value of an assignment an array raises.

print(x[np.array([0, 2])])
# => tensor([1., 3.], device='lazy:0')
try:
    x[:] = array
except TypeError as error:
    print(error)
# => can't assign a numpy.ndarray to a torch.lazy.FloatTensor

# %%
# Assigning a tensor to a slice of an array converts the tensor, so it raises too. Copy the tensor to
# the CPU first.

try:
    array[:] = x
except TypeError as error:
    print(error)
# => can't convert lazy:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
array[:] = x.cpu()
print(array)
# => [1. 2. 3.]

# %%
# ``from_numpy`` alone is not enough: it makes a CPU tensor, and this product of tensors on two devices
# raises. The message depends on the backend.

try:
    x * torch.from_numpy(array)
except RuntimeError as error:
    print(error)
# => Input tensor is not a lazy tensor: torch.FloatTensor
