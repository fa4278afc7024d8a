"""
cupy.asarray refuses a CUDA tensor
==================================

``cupy.asarray`` raises for a CUDA tensor that requires grad, and on older releases of torch for a
bool mask. Pass ``tensor.detach()`` or ``mask.view(torch.uint8)``: both share the GPU memory.
"""

# sphinx_gallery_tags = ["cuda", "cupy", "array-interface", "mask", "error"]

import cupy
import torch

# %%
# The error
# ---------
#
# ``cupy.asarray`` reads ``__cuda_array_interface__``. If that fails, some releases call
# ``__array__``, whose message is about NumPy and the CPU: ``can't convert cuda:0 device type tensor
# to numpy``. Reading the interface fails for a tensor that requires gradients, and on older
# releases of torch for a ``bool`` tensor (`CuPy's issue 7874
# <https://github.com/cupy/cupy/issues/7874>`__, where the traceback shows ``cupy/_core`` above the
# message).

weights = torch.ones(3, device="cuda", requires_grad=True)
try:
    cupy.asarray(weights)
except (RuntimeError, TypeError, ValueError):
    print("refused")
# => refused

# %%
# The fix
# -------
#
# :meth:`torch.Tensor.detach` drops the gradient and shares the memory.

array = cupy.asarray(weights.detach())
print(array.data.ptr == weights.data_ptr())
# => True

# %%
# A mask has one byte per element, like ``uint8``. View it as ``uint8`` for the transfer and as bool
# in CuPy. This shares memory.

mask = torch.tensor([True, False, True], device="cuda")
flags = cupy.asarray(mask.view(torch.uint8)).view(cupy.bool_)
print(flags, flags.data.ptr == mask.data_ptr())
# => [ True False  True] True

# %%
# DLPack is the alternative. Torch exports booleans with it since 2.2:
# :doc:`/gallery/09_protocols/dlpack_bool`.

print(cupy.from_dlpack(mask).dtype)
# => bool

# %%
# Works, but through the CPU
# --------------------------
#
# If you follow the message and call ``cpu()``, it works, but copies to the CPU and back to the GPU.

roundabout = cupy.asarray(mask.cpu().numpy())
print(roundabout.data.ptr == mask.data_ptr())
# => False

# %%
# What does not help
# ------------------
#
# ``to(torch.uint8)`` copies on the GPU: a later write to the mask does not change the CuPy array.

copied = cupy.asarray(mask.to(torch.uint8))
mask[1] = True
print(copied, flags)
# => [1 0 1] [ True  True  True]
