"""
Can a NumPy array be on the GPU?
================================

No, a NumPy array is in CPU memory: ``array.device`` is ``"cpu"``, and
``np.zeros(2, device="cuda")`` raises. To use its values on a GPU, copy them into a tensor:
``torch.from_numpy(array).to("cuda")``.
"""

# sphinx_gallery_tags = ["numpy", "device", "error"]

import numpy as np
import torch

# %%
# A :class:`numpy.ndarray` is in CPU memory. Since NumPy 2 it has a ``device`` attribute, as the
# `array API standard <https://numpy.org/doc/stable/reference/array_api.html>`__ requires.

array = np.array([1.0, 2.0])
print(array.device)
# => cpu

# %%
# Functions such as ``np.zeros`` have a ``device`` argument, and arrays have a ``to_device`` method.
# Both raise for ``"cuda"``.

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
# ``array.device`` is a string, and ``tensor.device`` is an object that does not equal it. If your
# code handles both, compare ``tensor.device.type``.

tensor = torch.from_numpy(array)
print(tensor.device == array.device)
# => False
print(tensor.device.type == array.device)
# => True

# %%
# To bring an array to another device, make a tensor of it. To make an array of that tensor, copy it
# back first. The ``meta`` device, which needs no hardware, stands for the GPU here; for the error
# on a GPU see :doc:`/gallery/07_cuda/numpy_error`.

moved = tensor.to("meta")
try:
    np.asarray(moved)
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
