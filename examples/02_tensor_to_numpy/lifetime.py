"""
Is it safe to delete the tensor and keep its array?
===================================================

You can delete the tensor while you use its array, and the array while you use its tensor: each
keeps the shared memory alive. A small view therefore keeps the whole buffer in memory.
"""

# sphinx_gallery_tags = ["lifetime", "sharing"]

import weakref

import torch

# %%
# The array keeps the memory alive: its ``base`` is a tensor on that memory. Deleting the tensor's
# name therefore does not free that memory.

tensor = torch.arange(4.0)
array = tensor.numpy()
print(type(array.base))
# => <class 'torch.Tensor'>
del tensor
print(array)
# => [0. 1. 2. 3.]

# %%
# A function can therefore return the array of a local tensor.


def squares(count):
    return (torch.arange(count) ** 2).numpy()


print(squares(5))
# => [ 0  1  4  9 16]

# %%
# Deleting the array is just as safe: the memory belongs to the tensor, and the array was a view of
# it.

values = torch.arange(3.0)
view = values.numpy()
view[0] = 10
del view
print(values)
# => tensor([10.,  1.,  2.])

# %%
# After :func:`torch.from_numpy` it is the other way round: the tensor keeps the array alive. The
# weak reference shows that the array object is freed together with the last tensor on its memory.

source = squares(3)
watcher = weakref.ref(source)
borrower = torch.from_numpy(source)
del source
print(watcher() is not None, borrower)
# => True tensor([0, 1, 4])
del borrower
print(watcher() is None)
# => True

# %%
# The price is memory: a small view keeps the whole buffer alive. This single row keeps the other
# 999; its copy does not.

large = torch.zeros(1000, 250)
row = large[0].numpy()
del large
print(row.nbytes, row.base.untyped_storage().nbytes())
# => 1000 1000000
row = row.copy()
print(row.nbytes, row.base)
# => 1000 None
