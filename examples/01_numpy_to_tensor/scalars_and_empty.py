"""
NumPy scalars and empty arrays to tensors
=========================================

``torch.tensor`` keeps the dtype of a NumPy scalar such as ``np.float64(2)`` and of an empty array.
A Python float or an empty list gets torch's default, ``float32``, unless you pass ``dtype``.
``from_numpy`` raises for a scalar.
"""

# sphinx_gallery_tags = ["scalar", "dtype"]

import numpy as np
import torch

# %%
# A NumPy scalar has a dtype, and :func:`torch.tensor` keeps the three below. A Python ``float``
# gets torch's default dtype, ``float32``.

for value in [np.float64(2), 2.0, np.float32(2), np.int8(2), 2]:
    print(type(value).__name__, torch.tensor(value).dtype)
# => float64 torch.float64
# => float torch.float32
# => float32 torch.float32
# => int8 torch.int8
# => int torch.int64

# %%
# In the first list below, the ``float64`` scalar makes the whole result ``float64``. An
# ``np.int64`` beside a Python float does not widen it, so lists that look equal can give different
# tensors.

print(torch.tensor([np.float64(1), 2]).dtype, torch.tensor([1.0, 2]).dtype)
# => torch.float64 torch.float32
print(torch.tensor([np.int64(1), 2.0]).dtype)
# => torch.float32

# %%
# ``uint64`` is an exception: ``torch.tensor`` raises for a scalar of this dtype, although it
# accepts an array. :func:`torch.asarray` accepts both.

try:
    torch.tensor(np.uint64(2))
except TypeError as error:
    print(error)
# => an integer is required
print(torch.tensor(np.array(2, dtype=np.uint64)), torch.asarray(np.uint64(2)))
# => tensor(2, dtype=torch.uint64) tensor(2, dtype=torch.uint64)

# %%
# A 0-d array holds one value too, but it has memory, and :func:`torch.from_numpy` shares it. A
# scalar is immutable, so it is copied. ``asarray`` copies both:
# :doc:`/gallery/01_numpy_to_tensor/asarray`.

zero_d = np.array(3.5)
tensor = torch.from_numpy(zero_d)
tensor.fill_(4)
print(zero_d, tensor.shape, zero_d.shape)
# => 4.0 torch.Size([]) ()

# %%
# Indexing the 0-d array with ``()`` returns a scalar, and so does adding up this array.
# :func:`numpy.asarray` turns a scalar into an array again.

total = np.array([1.5, 2.5]).sum()
print(type(zero_d[()]).__name__, type(total).__name__)
# => float64 float64
print(torch.from_numpy(np.asarray(total)))
# => tensor(4., dtype=torch.float64)

# %%
# An empty array keeps its shape and dtype, so sums work for this batch of size zero. Its ``max()``
# raises, and its ``mean()`` gives NaN.

empty = torch.from_numpy(np.zeros((0, 3)))
print(empty.shape, empty.sum(dim=0))
# => torch.Size([0, 3]) tensor([0., 0., 0.], dtype=torch.float64)

# %%
# An empty list has no element to infer a dtype from, so each library uses its own default. A list
# that later gets its first element may then give a different dtype.

print(torch.tensor([]).dtype, np.array([]).dtype)
# => torch.float32 float64
print(torch.tensor([], dtype=torch.int64).dtype)
# => torch.int64
