"""
A meta tensor as index gives wrong values
=========================================

A CPU tensor indexed by a ``meta`` tensor raises no error and returns uninitialised values. Create
the index on the device of the tensor: ``torch.tensor(rows, device=table.device)``.
"""

# sphinx_gallery_tags = ["meta", "device", "indexing", "silent"]

import torch

# %%
# An index on the ``meta`` device has a shape and no values. It may come from a part of a program
# that was built there and never filled. Used on a real tensor, it ought to be an error.

table = torch.tensor([10.0, 20.0, 30.0])
rows = torch.tensor([2, 0], device="meta")
print(table.device, rows.device)
# => cpu meta

# %%
# It is none, and the result looks like any other. Its values are not shown here, for there are
# none: one operand on ``meta`` sends the whole call to the implementation for that device, which
# works out a shape and allocates. Nobody writes to the memory, so it holds whatever was there
# before.

picked = table[rows]
print(picked.shape, picked.device)
# => torch.Size([2]) cpu

# %%
# The index is not read either: a position outside of the table raises nothing, while the same
# index on the CPU does.

outside = torch.tensor([1000], device="meta")
print(table[outside].shape)
# => torch.Size([1])
try:
    table[torch.tensor([1000])]
except IndexError as error:
    print(error)
# => index 1000 is out of bounds for dimension 0 with size 3

# %%
# Functions that select behave alike, `embeddings
# <https://github.com/pytorch/pytorch/issues/109781>`__ among them.

for selected in (table.index_select(0, rows), table.gather(0, rows), table.take(rows)):
    print(selected.shape, selected.device)
# => torch.Size([2]) cpu
# => torch.Size([2]) cpu
# => torch.Size([2]) cpu

# %%
# An assignment does nothing at all.

table[rows] = 0.0
print(table)
# => tensor([10., 20., 30.])

# %%
# Arithmetic does check the devices of its operands. Make an index where the table is; moving it
# there later fails, since :doc:`there is nothing to move </gallery/08_devices/meta_tensors>`.

try:
    table[:2] * rows
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError
rows = torch.tensor([2, 0], device=table.device)
print(table[rows].numpy())
# => [30. 10.]
