"""
CUDA tensor with NumPy array in one expression
==============================================

Arithmetic of a CUDA tensor with a NumPy array raises: ``tensor / array`` gives ``can't convert
cuda:0 device type tensor to numpy``. Write ``tensor / torch.from_numpy(array).to(tensor.device)``.
"""

# sphinx_gallery_tags = ["cuda", "arithmetic", "error"]

import numpy as np
import torch

# %%
# The tensor's operator does not accept arrays, so Python calls the array's operator. NumPy then
# tries to convert the tensor, which raises for a CUDA tensor.

values = torch.tensor([1.0, 2.0, 3.0], device="cuda")
counts = np.array([1, 2, 4])
try:
    values / counts
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# With the array on the left, ``/`` and ``*`` raise too. Python then reports that neither operator
# supports the other type.

try:
    counts / values
except TypeError as error:
    print(error)
# => unsupported operand type(s) for /: 'numpy.ndarray' and 'Tensor'
try:
    counts * values
except TypeError as error:
    print(error)
# => unsupported operand type(s) for *: 'numpy.ndarray' and 'Tensor'

# %%
# A 0-d array is an array too, so this product raises as well. With a scalar it does not:
# :doc:`/gallery/07_cuda/numpy_scalars`.

try:
    values * np.array(2.0)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# To compute on the GPU, move the array there; with an integer array a float tensor's dtype stays.
# To compute with NumPy, copy the tensor to the CPU; for the effect on the dtype see
# :doc:`/gallery/07_cuda/host_arithmetic`.

ratio = values / torch.from_numpy(counts).to(values.device)
print(ratio)
# => tensor([1.0000, 1.0000, 0.7500], device='cuda:0')
print(ratio.dtype)
# => torch.float32
