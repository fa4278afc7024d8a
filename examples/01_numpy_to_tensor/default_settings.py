"""
Which functions follow the default device and dtype
===================================================

``tensor``, ``as_tensor`` and ``asarray`` put an array on the default device, while ``from_numpy``
and ``from_dlpack`` stay on the CPU; only ``torch.Tensor`` imposes the default dtype.
"""

# sphinx_gallery_tags = ["dtype", "device", "creation", "from_numpy"]

import numpy as np
import torch

# %%
# Each of these seven functions makes a tensor of an array. The loops below call them once under
# another default dtype and once under another default device.

array = np.ones(2, dtype=np.float32)
functions = {
    "tensor": torch.tensor,
    "as_tensor": torch.as_tensor,
    "asarray": torch.asarray,
    "from_numpy": torch.from_numpy,
    "from_dlpack": torch.from_dlpack,
    "frombuffer": lambda data: torch.frombuffer(data, dtype=torch.float32),
    "Tensor": torch.Tensor,
}

# %%
# An array has a dtype of its own, so the default is not needed. Only the legacy constructor imposes
# it, and copies for that purpose; it shares again when the two agree.

torch.set_default_dtype(torch.float64)
for name, function in functions.items():
    print(name, function(array).dtype)
# => tensor torch.float32
# => as_tensor torch.float32
# => asarray torch.float32
# => from_numpy torch.float32
# => from_dlpack torch.float32
# => frombuffer torch.float32
# => Tensor torch.float64
torch.set_default_dtype(torch.float32)

# %%
# The device is another matter. The functions that may copy go to the default device, and the
# functions that promise a view stay on the CPU (`issue 114691
# <https://github.com/pytorch/pytorch/issues/114691>`__). The legacy constructor stays as well.

with torch.device("meta"):
    for name, function in functions.items():
        print(name, function(array).device)
# => tensor meta
# => as_tensor meta
# => asarray meta
# => from_numpy cpu
# => from_dlpack cpu
# => frombuffer cpu
# => Tensor cpu

# %%
# Tensors made without an array follow both settings. A shared array is then not on the device of
# the others.

with torch.device("meta"):
    print(torch.ones(2).device, torch.from_numpy(array).device)
# => meta cpu

# %%
# Library code cannot know the settings of its caller. Arguments make it independent of them, as in
# :doc:`/gallery/08_devices/default_device`.

with torch.device("meta"):
    print(torch.as_tensor(array, device="cpu").device)
# => cpu
