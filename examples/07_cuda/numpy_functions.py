"""
NumPy and matplotlib functions on CUDA tensors
==============================================

NumPy and matplotlib raise on a CUDA tensor or a list of them. Stack and copy first,
``torch.stack(losses).cpu().numpy()``, or call the tensor's own method,
``torch.stack(losses).mean()``.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "error"]

import numpy as np
import torch

# %%
# Most NumPy functions, and libraries built on them such as matplotlib, begin
# with :func:`numpy.asarray`. A CUDA tensor stops there.

losses = [torch.tensor(value, device="cuda") for value in (3.0, 2.0, 1.0)]
try:
    np.asarray(losses[0])
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# A list hides the tensors but does not change the outcome. The advice of the
# message cannot be followed literally, for the list has no ``cpu()``.

try:
    np.mean(losses)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
try:
    losses.cpu()
except AttributeError as error:
    print(error)
# => 'list' object has no attribute 'cpu'

# %%
# Stack the tensors on the GPU and fetch the result: one transfer instead of
# one for each tensor.

array = torch.stack(losses).cpu().numpy()
print(array, np.mean(array))
# => [3. 2. 1.] 2.0

# %%
# Some functions look for a method of the same name before they convert. The
# complaint is then about arguments, in words that depend on the release, and says
# nothing of devices: :doc:`/gallery/13_errors/reduction_keywords`.

try:
    np.sum(torch.stack(losses))
except TypeError as error:
    print(type(error).__name__, "device" in str(error))
# => TypeError False

# %%
# Often no array is needed: the tensor has the operation itself.

print(torch.stack(losses).sum().item())
# => 6.0
