"""
CuPy array to tensor and back without a copy
============================================

``torch.as_tensor(cupy_array, device="cuda")`` and ``cupy.asarray(tensor)`` share GPU memory between
PyTorch and CuPy without a copy. ``from_dlpack`` does too, and also orders the streams.
"""

# sphinx_gallery_tags = ["cuda", "cupy", "array-interface", "dlpack", "sharing", "error"]

import cupy
import numpy as np
import torch

# %%
# CuPy is NumPy's interface with the memory on the GPU. :func:`torch.as_tensor` shares such an
# array. Name the device: without it torch `copied to the CPU
# <https://github.com/pytorch/pytorch/issues/54139>`__ until `pull request 132595
# <https://github.com/pytorch/pytorch/pull/132595>`__.

array = cupy.array([0.0, 1.0, 2.0], dtype=cupy.float32)
tensor = torch.as_tensor(array, device="cuda")
print(tensor.data_ptr() == array.data.ptr)
# => True

# %%
# A write on one side is seen on the other, and nothing passes through the host.

tensor[0] = 7
print(tensor)
# => tensor([7., 1., 2.], device='cuda:0')
print(array)
# => [7. 1. 2.]

# %%
# :func:`torch.tensor` copies, on the GPU again.

copied = torch.tensor(array, device="cuda")
print(copied.data_ptr() == array.data.ptr)
# => False

# %%
# ``cupy.asarray`` is the way back, and shares as well. `CuPy's guide
# <https://docs.cupy.dev/en/stable/user_guide/interoperability.html>`__ lists the libraries that it
# reads in this way.

weights = torch.ones(3, device="cuda")
view = cupy.asarray(weights)
print(view.data.ptr == weights.data_ptr(), view.dtype)
# => True float32

# %%
# A tensor that records gradients is refused: CuPy's writes would escape autograd. The class of the
# error depends on the release of CuPy. Detach the tensor.

weights.requires_grad_()
try:
    cupy.asarray(weights)
except (RuntimeError, TypeError, ValueError):
    print("refused")
# => refused
print(cupy.asarray(weights.detach()).data.ptr == weights.data_ptr())
# => True

# %%
# DLPack shares in both directions too, and orders the streams of the two libraries, which the first
# way leaves to you: :doc:`/gallery/07_cuda/dlpack_streams`.

print(torch.from_dlpack(array).data_ptr() == array.data.ptr)
# => True
print(cupy.from_dlpack(tensor).data.ptr == tensor.data_ptr())
# => True

# %%
# For NumPy both have to be copied to the host. Neither library does that unasked.

try:
    np.asarray(array)
except TypeError as error:
    print(type(error).__name__)
# => TypeError
print(cupy.asnumpy(array), tensor.cpu().numpy())
# => [7. 1. 2.] [7. 1. 2.]
