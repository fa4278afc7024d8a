"""
Negative stride on an axis of length one
========================================

Call ``copy()`` on an array that is reversed along an axis of length one: ``np.ascontiguousarray``
keeps the negative stride, and ``torch.from_numpy`` then raises ``ValueError``.
"""

# sphinx_gallery_tags = ["layout", "negative strides", "copy"]

import numpy as np
import torch

# %%
# The stride of an axis is the distance to its next element. An axis of length one has no next
# element, so NumPy ignores its stride when it checks for contiguity, and does not change it.

batch = np.ones((1, 3))[::-1]
print(batch.strides)
# => (-24, 8)
print(batch.flags.c_contiguous)
# => True

# %%
# :func:`torch.from_numpy` checks the stride of an axis of length one too. Code that flips batches
# and calls ``np.ascontiguousarray`` therefore fails for batches of length one, such as the last
# batch of an epoch or a single request.

for size in [3, 2, 1]:
    flipped = np.ascontiguousarray(np.ones((size, 3))[::-1])
    try:
        print(torch.from_numpy(flipped).shape)
    except ValueError as error:
        print(str(error).split(",")[0])
# => torch.Size([3, 3])
# => torch.Size([2, 3])
# => At least one stride in the given numpy array is negative

# %%
# Making the array contiguous does not help. NumPy considers the array contiguous already, so each
# of these calls returns it with the same strides (`NumPy issue 23349
# <https://github.com/numpy/numpy/issues/23349>`__).

print(np.ascontiguousarray(batch).strides)
# => (-24, 8)
print(np.require(batch, requirements="C").strides)
# => (-24, 8)
print(np.asarray(batch, order="C").strides)
# => (-24, 8)
print(batch.astype(np.float64, copy=False).strides)
# => (-24, 8)

# %%
# A copy has new strides. Here the method ``copy``, :func:`numpy.array`, the cast to ``float32`` and
# the addition each make one.

for fresh in [batch.copy(), np.array(batch), batch.astype(np.float32), batch + 0]:
    print(fresh.strides, torch.from_numpy(fresh).shape)
# => (24, 8) torch.Size([1, 3])
# => (24, 8) torch.Size([1, 3])
# => (12, 4) torch.Size([1, 3])
# => (24, 8) torch.Size([1, 3])

# %%
# Reshaping the array to remove the axis removes its stride too, and still shares memory.

row = torch.from_numpy(batch.reshape(3))
row[0] = 5
print(batch)
# => [[5. 1. 1.]]

# %%
# To copy only if needed, check the strides yourself.


def without_negative_strides(array):
    return array.copy() if any(stride < 0 for stride in array.strides) else array


print(torch.from_numpy(without_negative_strides(batch)))
# => tensor([[5., 1., 1.]], dtype=torch.float64)
forward = np.ones(3)
print(without_negative_strides(forward) is forward)
# => True
