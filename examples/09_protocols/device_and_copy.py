"""
from_dlpack with device= and copy=
==================================

In ``from_dlpack``, ``copy=True`` asks for a copy and ``copy=False`` forbids one; in older releases
call ``copy()`` or ``clone()`` after the import. NumPy accepts ``device="cpu"`` and raises for
``"cuda"``.
"""

# sphinx_gallery_tags = ["dlpack", "copy", "device"]

import numpy as np
import torch

# %%
# Before torch imports an array, it asks where the data is. The answer is a pair: device type and
# index. Type 1 means CPU memory in `DLPack's list
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__.

tensor = torch.arange(3.0)
array = np.arange(3.0)
device_type, index = tensor.__dlpack_device__()
print(int(device_type), index, array.__dlpack_device__() == (1, 0))
# => 1 0 True

# %%
# Without these arguments, the two imports here share memory.

print(np.shares_memory(np.from_dlpack(tensor), tensor.numpy()))
# => True
print(np.shares_memory(torch.from_dlpack(array).numpy(), array))
# => True

# %%
# To get a copy in older releases too, copy after the import, with the importing library.

owned_array = np.from_dlpack(tensor).copy()
owned_tensor = torch.from_dlpack(array).clone()
print(np.shares_memory(owned_array, tensor.numpy()))
# => False
print(np.shares_memory(owned_tensor.numpy(), array))
# => False

# %%
# NumPy accepts ``copy`` and ``device`` since 2.1, torch since 2.9 (`change
# <https://github.com/pytorch/pytorch/pull/150218>`__). For ``copy``, ``True`` makes a copy,
# ``False`` forbids one, and the default, ``None``, shares memory if possible.

print(np.shares_memory(torch.from_dlpack(array, copy=True).numpy(), array))
# => False
print(np.shares_memory(torch.from_dlpack(array, copy=False).numpy(), array))
# => True
print(np.shares_memory(np.from_dlpack(tensor, copy=True), tensor.numpy()))
# => False

# %%
# ``device`` is the device of the result. Both accept ``"cpu"``, and NumPy raises for ``"cuda"``.

print(np.from_dlpack(tensor, device="cpu"), torch.from_dlpack(array, device="cpu"))
# => [0. 1. 2.] tensor([0., 1., 2.], dtype=torch.float64)
try:
    np.from_dlpack(tensor, device="cuda")
except ValueError as error:
    print(error)
# => Device not understood. Only "cpu" is allowed, but received: cuda

# %%
# A meta tensor has no data, so this import raises. To get one, call :meth:`torch.Tensor.to` after
# the import.

try:
    torch.from_dlpack(array, device="meta")
except BufferError as error:
    print(error)
# => Cannot pack tensors on meta
print(torch.from_dlpack(array).to("meta").shape)
# => torch.Size([3])
