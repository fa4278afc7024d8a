"""
Which functions follow the default device and dtype
===================================================

``tensor``, ``as_tensor`` and ``asarray`` put an array on the default device; ``from_numpy`` and
``from_dlpack`` keep it on the CPU. The legacy ``torch.Tensor`` gives an array the default dtype.
"""

# sphinx_gallery_tags = ["dtype", "device", "creation", "from_numpy"]

import numpy as np
import torch

# %%
# The loops below call seven functions that make a tensor from an array with a different default
# dtype, then with a different default device.

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
# An array already has a dtype, so six of the functions ignore the default. The legacy constructor
# ``torch.Tensor`` applies it, which makes a copy unless the array has that dtype.

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
# The default device works differently. ``tensor``, ``as_tensor`` and ``asarray`` put the tensor on
# the default device. ``from_numpy``, ``from_dlpack`` and ``frombuffer`` keep it on the CPU (`issue
# 114691 <https://github.com/pytorch/pytorch/issues/114691>`__), and so does the legacy constructor.

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
# The result of :func:`torch.ones` follows both settings, so it can be on a different device from a
# shared array.

with torch.device("meta"):
    print(torch.ones(2).device, torch.from_numpy(array).device)
# => meta cpu

# %%
# Library code runs with the defaults that its caller has set. Pass ``device`` and ``dtype``
# explicitly, as in :doc:`/gallery/08_devices/default_device`.

with torch.device("meta"):
    print(torch.as_tensor(array, device="cpu").device)
# => cpu
