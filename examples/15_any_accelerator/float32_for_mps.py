"""
float64 data on CUDA, CPU and Apple's MPS: cast where needed
============================================================

Choose the dtype with the device: ``float32`` if ``device.type == "mps"``, which has no ``float64``, and the
dtype of the array elsewhere. Cast before ``to(device)``.
"""

# sphinx_gallery_tags = ["apple", "mac", "float64", "float32", "dtype", "device"]

import numpy as np
import torch

# %%
# NumPy makes ``float64`` arrays. ``to("mps")`` refuses such a tensor, as
# :doc:`/gallery/13_errors/float64_on_mps` shows. A ``float()`` before each move would work on a Mac, and take
# precision away on the other devices. ``complex128`` has the same limit: its half is ``complex64``.

NARROWER = {torch.float64: torch.float32, torch.complex128: torch.complex64}


def move(array, device):
    tensor = torch.from_numpy(array)
    device = torch.device(device)
    if device.type == "mps":
        tensor = tensor.to(NARROWER.get(tensor.dtype, tensor.dtype))
    return tensor.to(device)


array = np.array([0.1, 0.2])
print(array.dtype, move(array, "cpu").dtype)
# => float64 torch.float64

# %%
# The same test in one place gives the dtype for new tensors. A device object has its type on a machine without
# that device, too.


def float_dtype(device):
    return torch.float32 if torch.device(device).type == "mps" else torch.float64


print(float_dtype("mps"), float_dtype("cuda:0"), float_dtype("cpu"))
# => torch.float32 torch.float64 torch.float64

# %%
# ``int64`` and ``bool`` need no cast, and ``float32`` data keeps its dtype.

labels = np.array([0, 1])
print(move(labels, "cpu").dtype, move(array.astype(np.float32), "cpu").dtype)
# => torch.int64 torch.float32

# %%
# Where results are compared between machines, expect the precision of ``float32``.

print(torch.tensor(0.1).item() - 0.1, np.finfo(np.float32).eps)
# => 1.4901161138336505e-09 1.1920929e-07
