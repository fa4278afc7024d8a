"""
A meta tensor as index gives wrong values
=========================================

A CPU tensor indexed by a 1-d ``meta`` tensor of positions returns uninitialised values, not an
error. Create the index on the device of the tensor: ``torch.tensor(rows, device=table.device)``.
"""

# sphinx_gallery_tags = ["meta", "device", "indexing", "silent"]

import torch

# %%
# An index on the ``meta`` device has a shape but no values. You may get one from a module that was
# built on ``meta`` and not filled. Indexing a real tensor with it should be an error.

table = torch.tensor([10.0, 20.0, 30.0])
rows = torch.tensor([2, 0], device="meta")
print(table.device, rows.device)
# => cpu meta

# %%
# It does not raise, and the result looks normal. This page does not print the values, because they
# are undefined: torch works out the shape of the result and allocates memory, but does not fill it.

picked = table[rows]
print(picked.shape, picked.device)
# => torch.Size([2]) cpu

# %%
# The index is not checked: a position outside the table does not raise, although the same index on
# the CPU does.

outside = torch.tensor([1000], device="meta")
print(table[outside].shape)
# => torch.Size([1])
try:
    table[torch.tensor([1000])]
except IndexError as error:
    print(error)
# => index 1000 is out of bounds for dimension 0 with size 3

# %%
# These three methods do the same, and so do `embeddings
# <https://github.com/pytorch/pytorch/issues/109781>`__.

for selected in (table.index_select(0, rows), table.gather(0, rows), table.take(rows)):
    print(selected.shape, selected.device)
# => torch.Size([2]) cpu
# => torch.Size([2]) cpu
# => torch.Size([2]) cpu

# %%
# An assignment with such an index does not change the table.

table[rows] = 0.0
print(table)
# => tensor([10., 20., 30.])

# %%
# Here ``*`` does check devices, and raises; a matrix product may not. Create the index on the
# table's device; moving it there later raises, because a meta tensor :doc:`has no values to move
# </gallery/08_devices/meta_tensors>`.

try:
    table[:2] * rows
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError
rows = torch.tensor([2, 0], device=table.device)
print(table[rows].numpy())
# => [30. 10.]
