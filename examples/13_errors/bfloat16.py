"""
NumPy has no bfloat16
=====================

Decide whether to widen the values for NumPy or to keep their sixteen bits.
"""

# sphinx_gallery_tags = ["dtype", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy itself has no dtype for ``bfloat16`` or for the 8-bit floats, so there is nothing to map
# them to. `Issue 110285 <https://github.com/pytorch/pytorch/issues/110285>`__ calls that expected.

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
# :meth:`torch.Tensor.float` widens to ``float32``, which represents every value of these dtypes
# exactly. The array is a copy, twice the size of a ``bfloat16`` tensor.

array = tensor.float().numpy()
print(array, array.dtype)
# => [1.5000e+00 7.0144e+04] float32

# %%
# The large number is not what was typed, because ``bfloat16`` has 8 significant bits: it was
# rounded when the tensor was made, and widening changes nothing more.

print(torch.equal(torch.from_numpy(array).bfloat16(), tensor))
# => True

# %%
# To store or to send the values, keep the bits: a view as ``uint16`` costs no memory, and the same
# view leads back.

bits = tensor.view(torch.uint16).numpy()
restored = torch.from_numpy(bits).view(torch.bfloat16)
print(bits.dtype, torch.equal(restored, tensor))
# => uint16 True

# %%
# What does not help
# ------------------
#
# ``force=True`` undoes devices, gradients and lazy conjugation, but never changes the dtype. A
# dtype requested from :func:`numpy.asarray` comes too late, after the refused conversion.

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
# ``half()`` converts, and quietly loses what lies outside the much smaller range of ``float16``.

print(tensor.half().numpy())
# => [1.5 inf]

# %%
# DLPack can name the dtype, but NumPy does not import it, unless it has been told how:
# :doc:`/gallery/09_protocols/registered_dtypes`.

try:
    np.from_dlpack(tensor)
except (BufferError, RuntimeError) as error:
    print(error)
# => Unsupported dtype in DLTensor.
