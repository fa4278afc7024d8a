"""
int32 or int64: the default integer of NumPy and torch
======================================================

Write ``dtype=np.int64`` for labels and indices: NumPy 1 on Windows makes ``int32`` of Python
integers, and ``cross_entropy`` then raises ``expected target dtype to be Long or Byte, but got
Int``.
"""

# sphinx_gallery_tags = ["dtype", "correction"]

import numpy as np
import torch

# %%
# A conversion takes over the dtype of the array, so what an array of plain integers becomes is
# decided by NumPy. Whichever dtype that is, the tensor has the one of the same name.

array = np.array([4, 8])
tensor = torch.as_tensor(array)
print(str(tensor.dtype) == f"torch.{array.dtype}")
# => True

# %%
# It is the default that ``np.dtype(int)`` names. Pages that show ``int32`` come from Windows with
# NumPy 1, where it was the C ``long``; since NumPy 2 it `has 64 bits on every 64-bit system
# <https://numpy.org/doc/stable/numpy_2_0_migration_guide.html#windows-default-integer>`__. torch
# reads a list of integers as ``int64`` everywhere.

print(array.dtype == np.dtype(int))
# => True
print(torch.tensor([4, 8]).dtype)
# => torch.int64

# %%
# A dtype that is written down depends on neither platform nor release.

print(torch.from_numpy(np.array([4, 8], dtype=np.int64)).dtype)
# => torch.int64
print(torch.as_tensor(array, dtype=torch.int64).dtype)
# => torch.int64

# %%
# It matters because torch is strict about integers that mean a class or a position. This loss
# refuses labels of 32 bits.

scores = torch.zeros(2, 3)
labels = torch.from_numpy(np.array([0, 2], dtype=np.int32))
try:
    torch.nn.functional.cross_entropy(scores, labels)
except RuntimeError as error:
    print(error)
# => expected target dtype to be Long or Byte, but got Int

# %%
# :class:`torch.nn.Embedding` and indexing accept them. Indices of 16 bits are refused.

values = torch.tensor([10, 20, 30])
print(values[labels], torch.nn.Embedding(3, 4)(labels).shape)
# => tensor([10, 30]) torch.Size([2, 4])
try:
    values[labels.to(torch.int16)]
except IndexError as error:
    print(error)
# => tensors used as indices must be long, int, byte or bool tensors

# %%
# Cast where the data enters: in the dataset or the collate function, not before each loss.

print(torch.nn.functional.cross_entropy(scores, labels.long()).shape)
# => torch.Size([])

# %%
# The narrower default also overflows earlier, and an array wraps without a warning. An explicit
# ``int64`` is right on every platform.

small = np.array([2**31 - 1], dtype=np.int32)
print(torch.from_numpy(small + np.int32(1)) < 0)
# => tensor([True])
print(torch.from_numpy(small.astype(np.int64) + 1) < 0)
# => tensor([False])
