"""
TypeError: Got unsupported ScalarType BFloat16
==============================================

NumPy has no ``bfloat16``, so cast the tensor to ``float32`` first, which keeps its values exactly.

.. fix::

   - tensor.numpy()
   + array = tensor.float().numpy()
"""

# sphinx_gallery_tags = ["dtype", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy itself does not have ``bfloat16`` or the 8-bit floats, so ``numpy()`` raises. `Issue 110285
# <https://github.com/pytorch/pytorch/issues/110285>`__ says that the error is expected.

tensor = torch.tensor([1.5, 70_000.0], dtype=torch.bfloat16)
try:
    tensor.numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16
try:
    tensor.to(torch.float8_e5m2).numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType Float8_e5m2

# %%
# The fix
# -------
#
# :meth:`torch.Tensor.float` converts to ``float32``, which represents every value of these dtypes
# exactly. The array is a copy, twice the size of a ``bfloat16`` tensor.

array = tensor.float().numpy()
print(array, array.dtype)
# => [1.5000e+00 7.0144e+04] float32

# %%
# The large number differs from the one in the code: ``bfloat16`` has 8 significant bits, so the
# number was rounded when the tensor was made. The conversion to ``float32`` did not change it.

print(torch.equal(torch.from_numpy(array).bfloat16(), tensor))
# => True

# %%
# To store or send the values in 16 bits, view them as ``int16``, which shares the memory, and view
# them as ``bfloat16`` again later.

bits = tensor.view(torch.int16).numpy()
restored = torch.from_numpy(bits).view(torch.bfloat16)
print(bits.dtype, torch.equal(restored, tensor))
# => int16 True

# %%
# What does not help
# ------------------
#
# ``force=True`` copies to the CPU, detaches and resolves lazy conjugation, but keeps the dtype.
# ``np.asarray`` converts the tensor before it casts, so passing it a dtype does not help either.

try:
    tensor.numpy(force=True)
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16
try:
    np.asarray(tensor, dtype=np.float32)
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16

# %%
# ``half()`` converts, but numbers too large for ``float16`` become infinite.

print(tensor.half().numpy())
# => [1.5 inf]

# %%
# DLPack supports ``bfloat16``, but NumPy does not import it unless the dtype is registered
# (:doc:`/gallery/09_protocols/registered_dtypes`).

try:
    np.from_dlpack(tensor)
except (BufferError, RuntimeError) as error:
    print(error)
# => Unsupported dtype in DLTensor.
