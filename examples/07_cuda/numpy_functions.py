"""
NumPy and matplotlib functions on CUDA tensors
==============================================

Many NumPy functions and matplotlib raise on a CUDA tensor or a list of them. Stack and copy first,
``torch.stack(losses).cpu().numpy()``, or call the tensor's own method,
``torch.stack(losses).mean()``.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "error"]

import numpy as np
import torch

# %%
# Many NumPy functions, and matplotlib, first convert their input to an array. The conversion, here
# with :func:`numpy.asarray`, raises for a CUDA tensor.

losses = [torch.tensor(value, device="cuda") for value in (3.0, 2.0, 1.0)]
try:
    np.asarray(losses[0])
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# A list of CUDA tensors raises the same error. Its advice does not work for the list, which has no
# ``cpu()``.

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
# Stack the tensors on the GPU and copy the result: this makes one transfer instead of one for each
# tensor.

array = torch.stack(losses).cpu().numpy()
print(array, np.mean(array))
# => [3. 2. 1.] 2.0

# %%
# ``np.sum`` first calls the tensor's method of the same name. The message is then about arguments,
# depends on the release, and does not mention devices:
# :doc:`/gallery/13_errors/reduction_keywords`.

try:
    np.sum(torch.stack(losses))
except TypeError as error:
    print(type(error).__name__, "device" in str(error))
# => TypeError False

# %%
# For a sum you need no array, because the tensor has that operation.

print(torch.stack(losses).sum().item())
# => 6.0
