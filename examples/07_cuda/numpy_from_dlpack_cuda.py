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
# DLPack describes memory on any device, and a CUDA tensor exports itself without complaint. The
# first number is CUDA in `DLPack's list <https://dmlc.github.io/dlpack/latest/c_api.html>`__.

tensor = torch.tensor([1.0, 2.0, 3.0], device="cuda")
device_type, index = tensor.__dlpack_device__()
print(int(device_type), index)
# => 2 0

# %%
# It is NumPy that refuses, having no use for such memory. The type of the error depends on the
# release of NumPy: `pull request 31000 <https://github.com/numpy/numpy/pull/31000>`__ changed it
# from ``RuntimeError`` to ``BufferError``. Catch both.

try:
    np.from_dlpack(tensor)
except (RuntimeError, BufferError) as error:
    print(error)
# => Unsupported device in DLTensor.

# %%
# The error is not the one of :meth:`torch.Tensor.numpy`, and does not say what to do. The fix is
# the same.

print(np.from_dlpack(tensor.cpu()))
# => [1. 2. 3.]

# %%
# A tensor that records gradients is refused by torch, before the device matters.

try:
    np.from_dlpack(torch.ones(2, device="cuda", requires_grad=True))
except (RuntimeError, BufferError) as error:
    print(error)
# => Can't export tensors that require gradient, use tensor.detach()

# %%
# What comes from ``cpu()`` is a snapshot; for a CPU tensor the same line shares. Where both may
# arrive, say so: :doc:`/gallery/07_cuda/snapshot`.

array = np.from_dlpack(tensor.cpu())
tensor[0] = 9
print(array)
# => [1. 2. 3.]

# %%
# The protocol can make the copy too, where NumPy is 2.1 or newer and torch has `pull request 150218
# <https://github.com/pytorch/pytorch/pull/150218>`__. ``device="cpu"`` asks the tensor to bring its
# values to the host; :func:`numpy.from_dlpack` describes it.

print(np.from_dlpack(tensor, device="cpu"))
# => [9. 2. 3.]
