"""
int32 or int64: the default integer of NumPy and torch
======================================================

Write ``dtype=np.int64`` for labels and indices: NumPy 1 on Windows stores Python integers as
``int32``, and ``cross_entropy`` then raises
``expected target dtype to be Long or Byte, but got Int``.
"""

# sphinx_gallery_tags = ["dtype", "correction"]

import numpy as np
import torch

# %%
# A tensor has the dtype of its array. For an array of Python integers, NumPy chooses that dtype.

array = np.array([4, 8])
tensor = torch.as_tensor(array)
print(str(tensor.dtype) == f"torch.{array.dtype}")
# => True

# %%
# NumPy's default is ``np.dtype(int)``. Pages that show ``int32`` were written on Windows with NumPy
# 1, where the default was the C ``long``. Since NumPy 2 it `has 64 bits on 64-bit systems
# <https://numpy.org/doc/stable/numpy_2_0_migration_guide.html#windows-default-integer>`__. Torch
# makes ``int64`` of a list of integers.

print(array.dtype == np.dtype(int))
# => True
print(torch.tensor([4, 8]).dtype)
# => torch.int64

# %%
# Pass a dtype, and the result does not depend on platform or release.

print(torch.from_numpy(np.array([4, 8], dtype=np.int64)).dtype)
# => torch.int64
print(torch.as_tensor(array, dtype=torch.int64).dtype)
# => torch.int64

# %%
# This matters because torch is strict about the dtype of class labels and indices.
# ``cross_entropy`` raises for ``int32`` labels.

scores = torch.zeros(2, 3)
labels = torch.from_numpy(np.array([0, 2], dtype=np.int32))
try:
    torch.nn.functional.cross_entropy(scores, labels)
except RuntimeError as error:
    print(error)
# => expected target dtype to be Long or Byte, but got Int

# %%
# :class:`torch.nn.Embedding` and indexing accept ``int32``. ``int16`` indices raise.

values = torch.tensor([10, 20, 30])
print(values[labels], torch.nn.Embedding(3, 4)(labels).shape)
# => tensor([10, 30]) torch.Size([2, 4])
try:
    values[labels.to(torch.int16)]
except IndexError as error:
    print(error)
# => tensors used as indices must be long, int, byte or bool tensors

# %%
# Cast the labels in the dataset or the collate function, not before each loss.

print(torch.nn.functional.cross_entropy(scores, labels.long()).shape)
# => torch.Size([])

# %%
# ``int32`` also overflows earlier, and this sum of an array and a scalar wraps without a warning.
# With an explicit ``int64`` the sum does not depend on the platform.

small = np.array([2**31 - 1], dtype=np.int32)
print(torch.from_numpy(small + np.int32(1)) < 0)
# => tensor([True])
print(torch.from_numpy(small.astype(np.int64) + 1) < 0)
# => tensor([False])
