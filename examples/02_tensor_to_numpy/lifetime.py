"""
Is it safe to delete the tensor and keep its array?
===================================================

You may delete the tensor while its array is in use, and the array while its tensor is: each keeps
the shared memory alive. A small view therefore holds on to the whole buffer.
"""

# sphinx_gallery_tags = ["lifetime", "sharing"]

import weakref

import torch

# %%
# The array keeps the memory alive: its ``base`` is a tensor on that memory, so deleting the name
# of the tensor frees nothing.

tensor = torch.arange(4.0)
array = tensor.numpy()
print(type(array.base))
# => <class 'torch.Tensor'>
del tensor
print(array)
# => [0. 1. 2. 3.]

# %%
# The array may therefore be returned from a function whose tensor was local.


def squares(count):
    return (torch.arange(count) ** 2).numpy()


print(squares(5))
# => [ 0  1  4  9 16]

# %%
# The other order is just as safe: the memory belongs to the tensor, and the array was only a view
# of it.

values = torch.arange(3.0)
view = values.numpy()
view[0] = 10
del view
print(values)
# => tensor([10.,  1.,  2.])

# %%
# With :func:`torch.from_numpy` the roles are swapped, and the tensor keeps the array alive. Here
# a weak reference shows when the array object goes: with the last tensor that uses its memory.

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
# The price is memory. A small view keeps the whole buffer: this single row holds on to all the
# others, where a copy holds only itself.

large = torch.zeros(1000, 250)
row = large[0].numpy()
del large
print(row.nbytes, row.base.untyped_storage().nbytes())
# => 1000 1000000
row = row.copy()
print(row.nbytes, row.base)
# => 1000 None
