"""
Can't convert xla:0, mps:0 or xpu:0 device type tensor to numpy
===============================================================

Call ``tensor.cpu().numpy()``, or ``tensor.detach().cpu().numpy()`` if it requires grad: ``numpy()``
raises ``can't convert … device type tensor to numpy``, with the name of the tensor's device in it.
"""

# sphinx_gallery_tags = ["device", "numpy", "error"]

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# This page uses ``lazy``, an accelerator in PyTorch's packages that you start with one call.
# ``numpy()`` raises for its tensors, as for those of a GPU.

torch._lazy.ts_backend.init()
tensor = torch.tensor([1.0, 2.0, 3.0], device="lazy")
print(tensor)
# => tensor([1., 2., 3.], device='lazy:0')

# %%
# The message is that for CUDA (:doc:`/gallery/07_cuda/numpy_error`), with another device name.
# torch inserts ``tensor.device``, so it can also be ``mps:0``, ``xla:0`` or ``xpu:0``.

try:
    tensor.numpy()
except TypeError as error:
    print(error)
# => can't convert lazy:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# These NumPy functions raise it too, because they convert their argument. So does a list of tensors.

for convert in (np.asarray, np.sqrt, lambda value: np.array([value, value])):
    try:
        convert(tensor)
    except TypeError as error:
        print(str(error).partition(".")[0])
# => can't convert lazy:0 device type tensor to numpy
# => can't convert lazy:0 device type tensor to numpy
# => can't convert lazy:0 device type tensor to numpy

# %%
# Copy to the CPU, then convert. The array is a copy: writing to it does not change the tensor.

array = tensor.cpu().numpy()
array[0] = 9
print(array, tensor.tolist())
# => [9. 2. 3.] [1.0, 2.0, 3.0]

# %%
# ``force=True`` does the same in one call, and detaches as well.

weights = torch.ones(2, device="lazy", requires_grad=True)
print(weights.detach().cpu().numpy(), weights.numpy(force=True))
# => [1. 1.] [1. 1.]

# %%
# A list has no ``cpu()``: convert each element, or stack the tensors first.

tensors = [tensor, tensor * 2]
print(np.stack([element.cpu().numpy() for element in tensors]))
# => [[1. 2. 3.]
# =>  [2. 4. 6.]]
print(torch.stack(tensors).cpu().numpy().shape)
# => (2, 3)

# %%
# For a single number you need no array: ``item`` and ``tolist`` copy by themselves.

print(tensor.sum().item(), tensor.tolist())
# => 6.0 [1.0, 2.0, 3.0]
