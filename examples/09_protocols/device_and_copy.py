"""
from_dlpack with device= and copy=
==================================

In ``from_dlpack``, ``copy=True`` asks for a copy and ``copy=False`` forbids one; ``copy()`` or
``clone()`` after the import works in every release. NumPy accepts only ``device="cpu"``.
"""

# sphinx_gallery_tags = ["dlpack", "copy", "device"]

import numpy as np
import torch

# %%
# Before anything is transferred the consumer asks where the data is. The answer is a pair of device
# type and index, and the number 1 means host memory in `DLPack's list
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__.

tensor = torch.arange(3.0)
array = np.arange(3.0)
device_type, index = tensor.__dlpack_device__()
print(int(device_type), index, array.__dlpack_device__() == (1, 0))
# => 1 0 True

# %%
# Without arguments both directions share.

print(np.shares_memory(np.from_dlpack(tensor), tensor.numpy()))
# => True
print(np.shares_memory(torch.from_dlpack(array).numpy(), array))
# => True

# %%
# The form that works in every release makes the copy after the import, in the library that will own
# it.

owned_array = np.from_dlpack(tensor).copy()
owned_tensor = torch.from_dlpack(array).clone()
print(np.shares_memory(owned_array, tensor.numpy()))
# => False
print(np.shares_memory(owned_tensor.numpy(), array))
# => False

# %%
# NumPy takes ``copy`` since 2.1, torch since 2.9 (`change
# <https://github.com/pytorch/pytorch/pull/150218>`__). ``True`` asks the exporter for a copy,
# ``False`` forbids one, and the default, ``None``, shares if it can.

print(np.shares_memory(torch.from_dlpack(array, copy=True).numpy(), array))
# => False
print(np.shares_memory(torch.from_dlpack(array, copy=False).numpy(), array))
# => True
print(np.shares_memory(np.from_dlpack(tensor, copy=True), tensor.numpy()))
# => False

# %%
# ``device`` names where the result shall be. NumPy accepts only the host; torch takes its own
# device names.

print(np.from_dlpack(tensor, device="cpu"), torch.from_dlpack(array, device="cpu"))
# => [0. 1. 2.] tensor([0., 1., 2.], dtype=torch.float64)
try:
    np.from_dlpack(tensor, device="cuda")
except ValueError as error:
    print(error)
# => Device not understood. Only "cpu" is allowed, but received: cuda

# %%
# The meta device holds no data, so DLPack has no number for it. For a stand-in without values use
# :meth:`torch.Tensor.to` after the import.

try:
    torch.from_dlpack(array, device="meta")
except BufferError as error:
    print(error)
# => Cannot pack tensors on meta
print(torch.from_dlpack(array).to("meta").shape)
# => torch.Size([3])
