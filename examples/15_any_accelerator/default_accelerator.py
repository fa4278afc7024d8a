"""
set_default_device on an accelerator other than CUDA
====================================================

After ``torch.set_default_device(device)``, ``torch.tensor(array)`` and ``as_tensor`` in this thread copy
the array there. ``torch.from_numpy`` stays on the CPU: move its tensor with ``.to(device)``.
"""

# sphinx_gallery_tags = ["device", "creation", "from_numpy", "error"]

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# This page uses ``lazy``, an accelerator that needs no hardware and is in PyTorch's packages. The
# calls are the same for ``"cuda"``, ``"mps"`` and ``"xpu"``.

torch._lazy.ts_backend.init()
array = np.array([1.0, 2.0], dtype=np.float32)
torch.set_default_device("lazy")
print(torch.ones(2).device, torch.tensor(array).device, torch.as_tensor(array).device)
# => lazy:0 lazy:0 lazy:0
print(torch.from_numpy(array).device)
# => cpu

# %%
# Code that makes a tensor with ``arange`` and converts it to NumPy now raises, although the code has
# not changed.

try:
    torch.arange(3).numpy()
except TypeError as error:
    print(error)
# => can't convert lazy:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
print(torch.arange(3).cpu().numpy())
# => [0 1 2]

# %%
# ``as_tensor`` no longer shares memory: writing to the array does not change the tensor.

tensor = torch.as_tensor(array)
array[0] = 9
print(tensor)
# => tensor([1., 2.], device='lazy:0')

# %%
# Move tensors from ``from_numpy`` to the default device. To find out which one it is, create a
# tensor, or call :func:`torch.get_default_device` since torch 2.3.

device = torch.empty(0).device
print(torch.from_numpy(array).to(device) * torch.ones(2))
# => tensor([9., 2.], device='lazy:0')

# %%
# For a few lines, such as those that prepare arrays, use ``with torch.device("cpu")``.

with torch.device("cpu"):
    print(torch.arange(3).numpy())
# => [0 1 2]

# %%
# ``set_default_device("cpu")`` restores the CPU. Existing tensors stay where they are. For ``meta``
# and CUDA see :doc:`/gallery/08_devices/default_device` and :doc:`/gallery/07_cuda/default_cuda`.

torch.set_default_device("cpu")
print(torch.ones(2).device, tensor.device)
# => cpu lazy:0
