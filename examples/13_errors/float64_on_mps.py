"""
TypeError: Cannot convert a MPS Tensor to float64 dtype
=======================================================

Apple GPUs do not support ``float64``, NumPy's default: cast to ``float32`` before you move the tensor,
call ``cpu()`` before ``double()``, or upgrade the library whose line it is.

.. fix::

   - torch.from_numpy(array).to("mps")
   + tensor = torch.from_numpy(array).float().to("mps")
   + tensor.cpu().double()
"""

# sphinx_gallery_tags = ["mps", "device", "dtype", "from_numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Apple's Metal has no ``float64``; `issue 122602
# <https://github.com/pytorch/pytorch/issues/122602>`__ was closed as a known limitation. A
# ``float64`` tensor can exist on the CPU, but not on this device.

array = np.array([0.1, 0.2])
try:
    torch.from_numpy(array).to("mps")
except TypeError as error:
    print(error)
# => Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use float32 instead.

# %%
# The fix
# -------
#
# Cast on the CPU, then move. Where code casts on the device, as in ``x.to(torch.float64)``, write
# ``torch.float32`` there.

tensor = torch.from_numpy(array).float().to("mps")
print(tensor.dtype, tensor.device)
# => torch.float32 mps:0

# %%
# Better still, create the array as ``float32``: it takes half the memory, and you need no cast.

narrow = np.array([0.1, 0.2], dtype=np.float32)
print(torch.from_numpy(narrow).to("mps").dtype)
# => torch.float32

# %%
# You need no cast for ``int64``. Back on the CPU you can use ``float64`` again: write
# ``tensor.cpu().double()`` instead of ``tensor.double().cpu()``.

print(torch.from_numpy(np.arange(2)).to("mps").dtype, tensor.cpu().double().dtype)
# => torch.int64 torch.float64

# %%
# What does not help
# ------------------
#
# A cast after the move comes too late. Passing the device to the constructor does not help either,
# because it keeps the dtype of the array.

try:
    torch.tensor(array, device="mps")
except TypeError as error:
    print(error)
# => Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use float32 instead.

# %%
# ``PYTORCH_ENABLE_MPS_FALLBACK`` is `for operators that are missing
# <https://docs.pytorch.org/docs/stable/mps_environment_variables.html>`__, not for dtypes. Casting
# to ``float64`` on the device raises as well.

try:
    tensor.double()
except TypeError as error:
    print(error)
# => Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use float32 instead.

# %%
# You can move a ``float16`` tensor, but numbers too large for that dtype become infinite.

print(torch.from_numpy(np.array([1.5, 70_000.0])).half().to("mps").cpu())
# => tensor([1.5000,    inf], dtype=torch.float16)
