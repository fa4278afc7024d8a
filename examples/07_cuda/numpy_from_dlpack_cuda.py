"""
CUDA tensor to NumPy through DLPack
===================================

``np.from_dlpack`` raises ``Unsupported device in DLTensor`` for a CUDA tensor. Pass
``tensor.cpu()``, or ``device="cpu"`` where NumPy and torch support it.
"""

# sphinx_gallery_tags = ["cuda", "dlpack", "copy", "error"]

import numpy as np
import torch

# %%
# DLPack can describe memory on a GPU, so a CUDA tensor exports without an error. The first number,
# 2, means CUDA in `DLPack's list <https://dmlc.github.io/dlpack/latest/c_api.html>`__.

tensor = torch.tensor([1.0, 2.0, 3.0], device="cuda")
device_type, index = tensor.__dlpack_device__()
print(int(device_type), index)
# => 2 0

# %%
# NumPy raises, because it uses CPU memory. The class of the error depends on the NumPy release:
# `pull request 31000 <https://github.com/numpy/numpy/pull/31000>`__ changed it from
# ``RuntimeError`` to ``BufferError``. Catch both.

try:
    np.from_dlpack(tensor)
except (RuntimeError, BufferError) as error:
    print(error)
# => Unsupported device in DLTensor.

# %%
# This is not the error that :meth:`torch.Tensor.numpy` raises, and it does not say what to do. The
# fix is the same: call ``cpu()`` first.

print(np.from_dlpack(tensor.cpu()))
# => [1. 2. 3.]

# %%
# If the tensor requires gradients, torch raises first.

try:
    np.from_dlpack(torch.ones(2, device="cuda", requires_grad=True))
except (RuntimeError, BufferError) as error:
    print(error)
# => Can't export tensors that require gradient, use tensor.detach()

# %%
# The array from ``cpu()`` is a copy. For a CPU tensor the same line shares memory. If your code
# must handle both, see :doc:`/gallery/07_cuda/snapshot`.

array = np.from_dlpack(tensor.cpu())
tensor[0] = 9
print(array)
# => [1. 2. 3.]

# %%
# DLPack can make the copy too, if NumPy is 2.1 or newer and torch has `pull request 150218
# <https://github.com/pytorch/pytorch/pull/150218>`__. Pass ``device="cpu"`` to
# :func:`numpy.from_dlpack`, and the tensor is copied to the CPU.

print(np.from_dlpack(tensor, device="cpu"))
# => [9. 2. 3.]
