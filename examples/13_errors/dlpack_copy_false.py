"""
ValueError: cannot move (i.e. copy=False) tensor … without copying
==================================================================

Between two devices the data has to be copied, so ``copy=False`` raises: leave it out, or move the
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
# DLPack's ``copy=False`` asks for shared memory. Here the code requests a capsule of a CPU tensor for
# the first CUDA device, the pair ``(2, 0)`` in `DLPack's list
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__. If you export a CUDA tensor to the CPU, the
# message says ``from cuda:0 to cpu``. The arguments exist since `torch 2.9
# <https://github.com/pytorch/pytorch/pull/150218>`__. The standard requires a ``BufferError``, so
# catch that too (`issue 194267 <https://github.com/pytorch/pytorch/issues/194267>`__).

tensor = torch.arange(3.0)
try:
    tensor.__dlpack__(dl_device=(2, 0), copy=False)
except (BufferError, TypeError, ValueError) as error:
    print(error)
# => cannot move (i.e. copy=False) tensor from cpu to cuda:0 without copying.

# %%
# :func:`torch.from_dlpack` asks the array for its device and checks this before it asks for the memory.
# Its message differs.

try:
    torch.from_dlpack(np.arange(3.0), device="cuda", copy=False)
except (BufferError, TypeError, ValueError) as error:
    print(error)
# => cannot move DLPack tensor from device (1, 0) to (2, 255) without copying. Set copy=None or copy=True.

# %%
# The fix
# -------
#
# Move the tensor first, then share memory on that device. This tensor is on the CPU already, so
# ``tensor.cpu()`` returns it.

array = np.from_dlpack(tensor.cpu())
print(np.shares_memory(array, tensor.numpy()))
# => True

# %%
# Or leave ``copy`` out: the default, ``None``, shares if it can and copies if it must. If you must
# share, keep ``copy=False`` and pass no device.

source = np.arange(3.0)
print(np.shares_memory(torch.from_dlpack(source).numpy(), source))
# => True

# %%
# What does not help
# ------------------
#
# ``copy=True`` without a device copies on the same device, so it does not move the data. For both
# arguments see :doc:`/gallery/09_protocols/device_and_copy`.

print(torch.from_dlpack(tensor, copy=True).device)
# => cpu
