"""
ValueError: … byte order different from the native byte order
=============================================================

The array is in the byte order of other machines, such as big-endian, and a torch dtype has no byte
order: cast the array to native order.

.. fix::

   - torch.from_numpy(array)
   + native = array.astype(array.dtype.newbyteorder("="))
   + torch.from_numpy(native)
"""

# sphinx_gallery_tags = ["dtype", "from_numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# FITS files store the most significant byte first, and so does this array: its dtype begins with
# ``>``. A torch dtype has no byte order, so ``from_numpy`` raises instead of sharing that memory.

array = np.array([1.0, 2.0], dtype=">f4")
print(array.dtype.isnative)
# => False
try:
    torch.from_numpy(array)
except ValueError as error:
    print(error)
# => given numpy array has byte order different from the native byte order. Conversion between byte orders is currently not supported.

# %%
# The fix
# -------
#
# Cast to the same dtype in native order: the copy swaps the bytes and keeps the values.

native = array.astype(array.dtype.newbyteorder("="))
print(torch.from_numpy(native))
# => tensor([1., 2.])

# %%
# A cast to another native dtype swaps the bytes as well, so one cast is enough if you need another
# dtype.

print(torch.from_numpy(array.astype(np.float64)))
# => tensor([1., 2.], dtype=torch.float64)

# %%
# What does not help
# ------------------
#
# ``copy()`` keeps the dtype, and so the byte order. ``byteswap()`` alone swaps the bytes but keeps
# the dtype: the error stays, and the values are wrong as well.

for still_foreign in (array.copy(), array.byteswap()):
    print(still_foreign.dtype.isnative, still_foreign.tolist() == array.tolist())
    try:
        torch.from_numpy(still_foreign)
    except ValueError as error:
        print(error)
# => False True
# => given numpy array has byte order different from the native byte order. Conversion between byte orders is currently not supported.
# => False False
# => given numpy array has byte order different from the native byte order. Conversion between byte orders is currently not supported.

# %%
# ``view`` changes the dtype but not the bytes. It does not raise, and the values are wrong.

print(torch.from_numpy(array.view("<f4")))
# => tensor([4.6006e-41, 8.9683e-44])

# %%
# :func:`torch.frombuffer` ignores the dtype of the array and misreads the bytes without an error.

print(torch.frombuffer(array, dtype=torch.float32))
# => tensor([4.6006e-41, 8.9683e-44])

# %%
# Old answers recommend the array's ``newbyteorder``, a method that `NumPy 2.0 removed
# <https://numpy.org/doc/stable/numpy_2_0_migration_guide.html>`__. The dtype still has it, and the
# fix uses that.

try:
    array.newbyteorder()
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'newbyteorder'
