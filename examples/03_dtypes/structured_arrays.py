"""
Structured array to tensor: one field at a time
===============================================

``torch.from_numpy(records["x"])`` shares a numeric field of a structured array if the record size
is a multiple of the element size. Otherwise it raises: copy the field, or create the dtype with
``align=True``.
"""

# sphinx_gallery_tags = ["dtype", "layout", "sharing", "error"]

import numpy as np
import torch
from numpy.lib.recfunctions import structured_to_unstructured

# %%
# A structured array stores records, as binary files do. Torch raises for records.

points = np.array([(1, 0.5), (2, 1.5)], dtype=[("id", "i4"), ("x", "f4")])
try:
    torch.from_numpy(points)
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.void

# %%
# The field ``x`` is an ordinary array with a stride of one record. Here the size of a record is a
# multiple of the element size, so torch can share the field.

field = torch.from_numpy(points["x"])
print(points["x"].strides, field.stride(), np.shares_memory(field.numpy(), points))
# => (8,) (2,) True

# %%
# A write through the tensor changes that field of the records.

field[0] = 9
print(points)
# => [(1, 9. ) (2, 1.5)]

# %%
# Torch counts strides in elements. A record here takes 5 bytes, and the element 4, so torch raises:
# :doc:`/gallery/13_errors/packed_fields`. `DLPack
# <https://dmlc.github.io/dlpack/latest/c_api.html>`__ counts in elements too.

packed = np.array([(1, 0.5), (0, 1.5)], dtype=[("flag", "u1"), ("x", "f4")])
try:
    torch.from_numpy(packed["x"])
except ValueError as error:
    print(error)
# => given numpy array strides not a multiple of the element byte size. Copy the numpy array to reallocate the memory.

# %%
# The one-byte field of the same records converts.

print(packed.dtype.itemsize, torch.from_numpy(packed["flag"]))
# => 5 tensor([1, 0], dtype=torch.uint8)

# %%
# Copy the field in NumPy. :func:`torch.tensor` does not help, because it makes the same check
# before it copies.

try:
    torch.tensor(packed["x"])
except ValueError as error:
    print(str(error).split(".")[0])
# => given numpy array strides not a multiple of the element byte size
print(torch.from_numpy(packed["x"].copy()))
# => tensor([0.5000, 1.5000])

# %%
# If you define the records yourself, pass ``align=True``. NumPy then pads them as a C compiler
# would, and fields such as these can be shared. A complex field can still fail, because it is
# aligned to half its size.

aligned = packed.astype(np.dtype([("flag", "u1"), ("x", "f4")], align=True))
print(aligned.dtype.itemsize, torch.from_numpy(aligned["x"]))
# => 8 tensor([0.5000, 1.5000])

# %%
# The fields of these records have the same dtype, and ``structured_to_unstructured`` returns them
# as a matrix, here without a copy.

pairs = np.array([(1, 2), (3, 4)], dtype=[("x", "f4"), ("y", "f4")])
matrix = torch.from_numpy(structured_to_unstructured(pairs))
print(matrix, np.shares_memory(matrix.numpy(), pairs))
# => tensor([[1., 2.],
# =>         [3., 4.]]) True
