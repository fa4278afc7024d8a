"""
ValueError: cannot move (i.e. copy=False) tensor … without copying
==================================================================

Data on another device is always a copy, so ``copy=False`` cannot be kept: leave it out, or move the
tensor with ``cpu()`` first.

.. fix::

   - tensor.__dlpack__(dl_device=(2, 0), copy=False)
   + array = np.from_dlpack(tensor.cpu())
"""

# sphinx_gallery_tags = ["dlpack", "copy", "device", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# DLPack's ``copy=False`` promises that the result shares memory. From one device to another that
# is impossible, and the tensor that is asked for it says so. The code asks a CPU tensor for a
# capsule on the first CUDA device, the pair ``(2, 0)`` in `DLPack's list
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__; a CUDA tensor that is asked for one on the
# CPU gives ``from cuda:0 to cpu``. The arguments exist since `torch 2.9
# <https://github.com/pytorch/pytorch/pull/150218>`__. The standard asks for a ``BufferError`` here,
# so catch that too (`issue 194267 <https://github.com/pytorch/pytorch/issues/194267>`__).

tensor = torch.arange(3.0)
try:
    tensor.__dlpack__(dl_device=(2, 0), copy=False)
except (BufferError, TypeError, ValueError) as error:
    print(error)
# => cannot move (i.e. copy=False) tensor from cpu to cuda:0 without copying.

# %%
# :func:`torch.from_dlpack` refuses in other words, before it asks the other library.

try:
    torch.from_dlpack(np.arange(3.0), device="cuda", copy=False)
except (BufferError, TypeError, ValueError) as error:
    print(error)
# => cannot move DLPack tensor from device (1, 0) to (2, 255) without copying. Set copy=None or copy=True.

# %%
# The fix
# -------
#
# Move first, then share on the device where both are. For a tensor that is there already
# :meth:`torch.Tensor.cpu` costs nothing.

array = np.from_dlpack(tensor.cpu())
print(np.shares_memory(array, tensor.numpy()))
# => True

# %%
# Or leave ``copy`` out: the default, ``None``, shares if it can and copies if it must. Code that
# has to share keeps ``copy=False`` and names no device.

source = np.arange(3.0)
print(np.shares_memory(torch.from_dlpack(source).numpy(), source))
# => True

# %%
# What does not help
# ------------------
#
# ``copy=True`` with no device copies where the data is. The result is on the same device as before.
# More about both arguments: :doc:`/gallery/09_protocols/device_and_copy`.

print(torch.from_dlpack(tensor, copy=True).device)
# => cpu
