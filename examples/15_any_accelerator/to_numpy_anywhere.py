"""
Tensor to NumPy in device-agnostic code
=======================================

``tensor.detach().cpu().numpy()`` and ``tensor.numpy(force=True)`` work on the CPU and on an
accelerator. The array shares the memory of a plain CPU tensor; from an accelerator it is a copy. Call
``tensor.detach().to("cpu", copy=True).numpy()`` to copy once on both.
"""

# sphinx_gallery_tags = ["device", "numpy", "sharing", "copy"]

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# This page compares two devices: the CPU, and ``lazy``, which is part of PyTorch's packages and
# behaves like a GPU here. The error on CUDA, and how to fix it:
# :doc:`/gallery/13_errors/cuda_to_numpy`.

torch._lazy.ts_backend.init()
devices = ["cpu", "lazy"]


def show(convert):
    """Print the array that ``convert`` makes of a tensor on each device."""
    for device in devices:
        print(device, convert(torch.ones(2, device=device, requires_grad=True)))


# %%
# Both calls work on both devices, also for a tensor that requires grad.

show(lambda tensor: tensor.detach().cpu().numpy())
# => cpu [1. 1.]
# => lazy [1. 1.]
show(lambda tensor: tensor.numpy(force=True))
# => cpu [1. 1.]
# => lazy [1. 1.]

# %%
# But the results differ silently. ``cpu()`` returns a CPU tensor unchanged, so writing to the array
# changes the tensor. On an accelerator it does not.

for device in devices:
    tensor = torch.zeros(2, device=device)
    array = tensor.cpu().numpy()
    array[0] = 7
    print(device, tensor.tolist())
# => cpu [7.0, 0.0]
# => lazy [0.0, 0.0]

# %%
# If you will write to the array or change the tensor, make a copy, on the CPU too. ``.copy()`` at
# the end copies an accelerator's numbers twice; ``to("cpu", copy=True)`` in place of ``cpu()``
# copies once.

for device in devices:
    tensor = torch.zeros(2, device=device)
    array = tensor.cpu().numpy().copy()
    array[0] = 7
    print(device, tensor.tolist())
# => cpu [0.0, 0.0]
# => lazy [0.0, 0.0]

# %%
# The same happens if you write to the tensor: an array that you kept, for example for a plot,
# changes on the CPU but not on an accelerator.

for device in devices:
    tensor = torch.zeros(2, device=device)
    kept = tensor.cpu().numpy()
    tensor += 1
    print(device, kept)
# => cpu [1. 1.]
# => lazy [0. 0.]

# %%
# The dtype and shape are the same on both devices.

for device in devices:
    tensor = torch.ones((2, 3), dtype=torch.int64, device=device)
    array = tensor.T.cpu().numpy()
    print(device, array.dtype, array.shape)
# => cpu int64 (3, 2)
# => lazy int64 (3, 2)

# %%
# To move the result back, call ``to(tensor.device)``
# (:doc:`/gallery/15_any_accelerator/array_to_any_device`).

for device in devices:
    tensor = torch.ones(2, device=device)
    doubled = torch.from_numpy(np.add(tensor.cpu().numpy(), 1)).to(tensor.device)
    print(doubled)
# => tensor([2., 2.])
# => tensor([2., 2.], device='lazy:0')
