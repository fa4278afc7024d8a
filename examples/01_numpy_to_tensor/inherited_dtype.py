"""
from_numpy gives a float64 tensor: how to get float32
=====================================================

``from_numpy`` keeps the array's dtype, which is ``float64`` for Python floats. To get ``float32``,
convert the array with ``astype``, pass ``dtype`` to ``torch.as_tensor``, or call ``float()`` on the
tensor.
"""

# sphinx_gallery_tags = ["dtype", "from_numpy", "copy"]

import numpy as np
import torch

# %%
# :func:`torch.from_numpy` gives the tensor the dtype of the array. NumPy stores Python floats as
# ``float64``, so the tensor is ``float64`` as well, although torch's own default is ``float32``.

array = np.array([0.0, 0.5, 1.0])
tensor = torch.from_numpy(array)
print(array.dtype, tensor.dtype)
# => float64 torch.float64
print(tensor)
# => tensor([0.0000, 0.5000, 1.0000], dtype=torch.float64)

# %%
# The tensor has the dtype of the array, because the memory is not copied: `its bytes could be
# garbage <https://github.com/pytorch/pytorch/issues/541>`__ if they were read as another dtype.

for name in ["float32", "int64", "int16", "uint8", "bool", "complex64"]:
    print(name, torch.from_numpy(np.ones(2, dtype=name)).dtype)
# => float32 torch.float32
# => int64 torch.int64
# => int16 torch.int16
# => uint8 torch.uint8
# => bool torch.bool
# => complex64 torch.complex64

# %%
# You can cast in three places. The first is the array: :meth:`numpy.ndarray.astype` makes a new
# array, and the tensor shares that one.

singles = array.astype(np.float32)
print(np.shares_memory(torch.from_numpy(singles).numpy(), singles))
# => True

# %%
# The second is the conversion itself, with a function that has a ``dtype`` argument. This makes one
# copy, and no array in between.

print(torch.as_tensor(array, dtype=torch.float32).dtype)
# => torch.float32

# %%
# The third is the tensor. :meth:`torch.Tensor.float` and :meth:`torch.Tensor.to` convert it. If the
# dtype is right already, they return the same tensor, which still shares memory with the array.

narrow = tensor.float()
same = tensor.to(torch.float64)
print(narrow is tensor, same is tensor)
# => False True

# %%
# ``view`` does not convert values. It reads the same bytes as a different dtype, so here each
# double becomes two singles.

print(tensor.view(torch.float32).shape, tensor.float().shape)
# => torch.Size([6]) torch.Size([3])

# %%
# Some NumPy dtypes do not exist in torch, such as text and dates. The list at the end of the
# message differs between releases, so the code prints its beginning.

try:
    torch.from_numpy(np.array(["2024-01-01"], dtype="datetime64[D]"))
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.datetime64

# %%
# The byte order of other machines has no counterpart either. NumPy can convert it:
# :doc:`/gallery/13_errors/byte_order`.

swapped = array.astype(array.dtype.newbyteorder("S"))
try:
    torch.from_numpy(swapped)
except ValueError as error:
    print(str(error).split(". ")[0])
# => given numpy array has byte order different from the native byte order
print(torch.from_numpy(swapped.astype(np.float64)))
# => tensor([0.0000, 0.5000, 1.0000], dtype=torch.float64)
