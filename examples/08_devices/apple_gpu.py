"""
MPS tensor to NumPy on a Mac
============================

Call ``tensor.cpu().numpy()`` on an ``mps`` tensor: ``numpy()`` raises a ``TypeError``. The array is
a copy, even though CPU and GPU of a Mac with Apple silicon use the same memory.
"""

# sphinx_gallery_tags = ["mps", "device", "numpy", "copy", "error"]

import numpy as np
import torch

# %%
# ``mps`` is torch's device for the GPU of a Mac. ``numpy()`` raises on its tensors as on those of
# an NVIDIA GPU, with the same advice.

tensor = torch.tensor([1.0, 2.0, 3.0], device="mps")
try:
    tensor.numpy()
except TypeError as error:
    print(error)
# => can't convert mps:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# On Apple silicon, CPU and GPU use one memory, but a tensor still belongs to one device, and
# :meth:`torch.Tensor.cpu` copies it (`issue 172987
# <https://github.com/pytorch/pytorch/issues/172987>`__). Writing to the array does not change the
# tensor.

array = tensor.cpu().numpy()
array[0] = 50
print(tensor)
# => tensor([1., 2., 3.], device='mps:0')

# %%
# ``force=True`` and ``tolist`` copy as well.

print(tensor.numpy(force=True), tensor.tolist())
# => [1. 2. 3.] [1.0, 2.0, 3.0]

# %%
# ``np.asarray`` and the product with an array raise for the same reason.

try:
    np.asarray(tensor)
except TypeError as error:
    print(type(error).__name__)
# => TypeError
try:
    tensor * np.ones(3, dtype=np.float32)
except TypeError as error:
    print(type(error).__name__)
# => TypeError

# %%
# Moving an array to the GPU copies it too. Start from ``float32``, because the device has no
# ``float64``: :doc:`/gallery/13_errors/float64_on_mps`.

source = np.array([1.0, 2.0], dtype=np.float32)
moved = torch.from_numpy(source).to("mps")
source[0] = 50
print(moved)
# => tensor([1., 2.], device='mps:0')

# %%
# As with ``cuda``, a tensor's device is not equal to the name without an index. Compare the type:
# :doc:`/gallery/08_devices/cuda_is_not_cuda_0`.

print(moved.device == torch.device("mps"), moved.device.type == "mps")
# => False True
