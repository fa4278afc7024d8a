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
# A CuPy array is in the memory of the GPU, and :func:`torch.as_tensor` shares that memory. Pass
# ``device``, because torch otherwise `copied to the CPU
# <https://github.com/pytorch/pytorch/issues/54139>`__ until `pull request 132595
# <https://github.com/pytorch/pytorch/pull/132595>`__.

array = cupy.array([0.0, 1.0, 2.0], dtype=cupy.float32)
tensor = torch.as_tensor(array, device="cuda")
print(tensor.data_ptr() == array.data.ptr)
# => True

# %%
# A write to one changes the other, without a copy through the CPU.

tensor[0] = 7
print(tensor)
# => tensor([7., 1., 2.], device='cuda:0')
print(array)
# => [7. 1. 2.]

# %%
# :func:`torch.tensor` makes a copy on the GPU.

copied = torch.tensor(array, device="cuda")
print(copied.data_ptr() == array.data.ptr)
# => False

# %%
# ``cupy.asarray`` converts back and shares memory as well. `CuPy's guide
# <https://docs.cupy.dev/en/stable/user_guide/interoperability.html>`__ lists the libraries whose
# arrays it accepts.

weights = torch.ones(3, device="cuda")
view = cupy.asarray(weights)
print(view.data.ptr == weights.data_ptr(), view.dtype)
# => True float32

# %%
# For a tensor that requires gradients it raises. The class of the error depends on the release of
# CuPy. Detach the tensor first.

weights.requires_grad_()
try:
    cupy.asarray(weights)
except (RuntimeError, TypeError, ValueError):
    print("refused")
# => refused
print(cupy.asarray(weights.detach()).data.ptr == weights.data_ptr())
# => True

# %%
# DLPack shares memory in both directions too, and also orders the streams of the two libraries.
# ``as_tensor`` and ``asarray`` leave that to you: :doc:`/gallery/07_cuda/dlpack_streams`.

print(torch.from_dlpack(array).data_ptr() == array.data.ptr)
# => True
print(cupy.from_dlpack(tensor).data.ptr == tensor.data_ptr())
# => True

# %%
# To get a NumPy array, copy to the CPU explicitly: ``np.asarray`` raises for both libraries.

try:
    np.asarray(array)
except TypeError as error:
    print(type(error).__name__)
# => TypeError
print(cupy.asnumpy(array), tensor.cpu().numpy())
# => [7. 1. 2.] [7. 1. 2.]
