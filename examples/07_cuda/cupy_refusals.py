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
# ``cupy.asarray`` reads ``__cuda_array_interface__``. Where that fails it tries ``__array__``, whose
# message is about NumPy and the CPU: ``can't convert cuda:0 device type tensor to numpy``, below
# frames of ``cupy/_core``. A tensor that records gradients offers no memory, and older releases of
# torch had no entry for ``bool`` (`CuPy's issue 7874
# <https://github.com/cupy/cupy/issues/7874>`__).

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
# :meth:`torch.Tensor.detach` takes away the gradient, not the memory.

array = cupy.asarray(weights.detach())
print(array.data.ptr == weights.data_ptr())
# => True

# %%
# A mask takes one byte for each element, like ``uint8``. View it as that for the transfer and as
# bool on the other side: no copy, on every release.

mask = torch.tensor([True, False, True], device="cuda")
flags = cupy.asarray(mask.view(torch.uint8)).view(cupy.bool_)
print(flags, flags.data.ptr == mask.data_ptr())
# => [ True False  True] True

# %%
# DLPack is the other way. It carries booleans since torch 2.2, see
# :doc:`/gallery/09_protocols/dlpack_bool`.

print(cupy.from_dlpack(mask).dtype)
# => bool

# %%
# Works, but through the CPU
# --------------------------
#
# ``cpu()`` follows the message and works, by a copy to the host and another back to the GPU.

roundabout = cupy.asarray(mask.cpu().numpy())
print(roundabout.data.ptr == mask.data_ptr())
# => False

# %%
# What does not help
# ------------------
#
# ``to(torch.uint8)`` stays on the GPU and copies: a later write to the mask is not seen.

copied = cupy.asarray(mask.to(torch.uint8))
mask[1] = True
print(copied, flags)
# => [1 0 1] [ True  True  True]
