"""
ValueError: … strides not a multiple of the element byte size
=============================================================

The array is one field of packed records, and the record size is not a multiple of the element size:
copy the field.

.. fix::

   - torch.from_numpy(packed["value"])
   + torch.from_numpy(packed["value"].copy())
"""

# sphinx_gallery_tags = ["structured arrays", "layout", "from_numpy", "error"]

import numpy as np
import torch
from numpy.lib import recfunctions

# %%
# The error
# ---------
#
# The records of this `structured array <https://numpy.org/doc/stable/user/basics.rec.html>`__ are
# adjacent in memory, so the stride of a field is the size of a record. A tensor's strides are whole
# elements, and the size of this record is not a multiple of the four bytes of a ``float32``.

packed = np.array([(1, 0.5), (2, 1.5)], dtype=[("flag", "i1"), ("value", "f4")])
print(packed.dtype.itemsize, packed["value"].strides)
# => 5 (5,)
try:
    torch.from_numpy(packed["value"])
except ValueError as error:
    print(error)
# => given numpy array strides not a multiple of the element byte size. Copy the numpy array to reallocate the memory.

# %%
# The fix
# -------
#
# Copy the field, so that its values are adjacent in memory. Some fields can be shared:
# :doc:`/gallery/03_dtypes/structured_arrays`.

print(torch.from_numpy(packed["value"].copy()))
# => tensor([0.5000, 1.5000])

# %%
# If you create the array, use ``align=True``. NumPy then pads these records, and their ``float32``
# field can be shared without a copy.

aligned_dtype = np.dtype([("flag", "i1"), ("value", "f4")], align=True)
aligned = packed.astype(aligned_dtype)
tensor = torch.from_numpy(aligned["value"])
tensor[0] = 7
print(aligned.dtype.itemsize, tensor.stride(), aligned["value"])
# => 8 (2,) [7.  1.5]

# %%
# To get these fields as one matrix, copy them to a common dtype with :mod:`numpy.lib.recfunctions`.

matrix = recfunctions.structured_to_unstructured(packed)
print(torch.from_numpy(matrix))
# => tensor([[1.0000, 0.5000],
# =>         [2.0000, 1.5000]])

# %%
# What does not help
# ------------------
#
# :func:`torch.tensor` copies, but checks the strides first.

try:
    torch.tensor(packed["value"])
except ValueError as error:
    print(error)
# => given numpy array strides not a multiple of the element byte size. Copy the numpy array to reallocate the memory.

# %%
# The whole array raises, so convert its fields one by one.

try:
    torch.from_numpy(packed)
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.void

# %%
# DLPack counts in elements too, so NumPy raises on export.

try:
    torch.from_dlpack(packed["value"])
except (BufferError, RuntimeError) as error:
    print(error)
# => DLPack only supports strides which are a multiple of itemsize.

# %%
# :func:`torch.frombuffer` reads the array as bytes. If the record size fits, it reads across the
# fields without an error: the first and third number here are integers read as floats.

pairs = np.array([(1, 0.5), (2, 1.5)], dtype=[("id", "i4"), ("value", "f4")])
print(torch.frombuffer(pairs, dtype=torch.float32))
# => tensor([1.4013e-45, 5.0000e-01, 2.8026e-45, 1.5000e+00])
print(torch.from_numpy(pairs["value"]))
# => tensor([0.5000, 1.5000])
