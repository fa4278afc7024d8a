"""
Can a NumPy array be on the GPU?
================================

A NumPy array is always in CPU memory: ``array.device`` is ``"cpu"`` and nothing else is accepted.
It reaches a GPU only as a tensor, with ``torch.from_numpy(array).to("cuda")``.
"""

# sphinx_gallery_tags = ["numpy", "device", "error"]

import numpy as np
import torch

# %%
# A :class:`numpy.ndarray` is always in host memory. Since NumPy 2 it says so
# itself, for the sake of the `array API standard
# <https://numpy.org/doc/stable/reference/array_api.html>`__.

array = np.array([1.0, 2.0])
print(array.device)
# => cpu

# %%
# The matching keyword and method exist, and accept that one value only.

try:
    np.zeros(2, device="cuda")
except ValueError as error:
    print(error)
# => Device not understood. Only "cpu" is allowed, but received: cuda
try:
    array.to_device("cuda")
except ValueError as error:
    print(error)
# => Unsupported device: cuda. Only 'cpu' is accepted.
print(array.to_device("cpu") is array)
# => True

# %%
# ``array.device`` is a plain string and ``tensor.device`` an object that does
# not equal it. Compare the ``type`` where code handles both.

tensor = torch.from_numpy(array)
print(tensor.device == array.device)
# => False
print(tensor.device.type == array.device)
# => True

# %%
# So an array reaches another device only as a tensor, and becomes an array
# again only after it has come back. The ``meta`` device, which every machine
# has, stands for the GPU of :doc:`/gallery/07_cuda/numpy_error`.

moved = tensor.to("meta")
try:
    np.asarray(moved)
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
