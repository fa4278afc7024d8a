"""
RuntimeError: stack expects each tensor to be equal size
========================================================

The tensors have different shapes, and ``stack`` makes one tensor: resize or pad them to one shape,
return a list from ``collate_fn``, or join rows with ``torch.cat``.

.. fix::

   - DataLoader(items, batch_size=2)
   + DataLoader(items, batch_size=2, collate_fn=pad)
   + DataLoader(items, batch_size=2, collate_fn=list)
   + torch.cat(parts)
"""

# sphinx_gallery_tags = ["dataloader", "collate", "stack", "shape", "error"]

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

# %%
# The error
# ---------
#
# The data loader stacks the arrays of a batch. The message shows the shape of the first item, and that of
# the first one that differs: ``entry 1`` is its place in the batch, not in the dataset.

items = [np.ones(3), np.zeros(2)]
try:
    next(iter(DataLoader(items, batch_size=2)))
except RuntimeError as error:
    print(error)
# => stack expects each tensor to be equal size, but got [3] at entry 0 and [2] at entry 1

# %%
# ``torch.stack`` says the same. NumPy has other words.

try:
    np.stack(items)
except ValueError as error:
    print(error)
# => all input arrays must have the same shape

# %%
# To find the items, print the shapes in the dataset.

print([(index, item.shape) for index, item in enumerate(items)])
# => [(0, (3,)), (1, (2,))]

# %%
# The fix
# -------
#
# This function pads sequences to the longest of their batch. If the model must not see the padding,
# return the lengths as well.


def pad(batch):
    return pad_sequence([torch.from_numpy(item) for item in batch], batch_first=True)


for batch in DataLoader(items, batch_size=2, collate_fn=pad):
    print(batch)
# => tensor([[1., 1., 1.],
# =>         [0., 0., 0.]], dtype=torch.float64)

# %%
# Rows of one table, such as the results of batches of which the last is smaller, differ in the first
# axis. ``torch.cat`` joins them along it.

parts = [torch.zeros(3, 2), torch.zeros(1, 2)]
print(torch.cat(parts).shape)
# => torch.Size([4, 2])

# %%
# A batch may also be a list, if the model takes one item after the other.

for batch in DataLoader(items, batch_size=2, collate_fn=list):
    print([item.shape for item in batch])
# => [(3,), (2,)]

# %%
# Resize images in the dataset. With ``[3, …]`` and ``[1, …]`` or ``[4, …]`` in the message, some
# images may be grey or have an alpha channel: open them with ``Image.open(path).convert("RGB")``. For volumes
# with another number of slices, ``torch.nn.functional.pad(volume, (0, missing))`` fills the last axis.

image = torch.from_numpy(np.ones((3, 4, 6), dtype=np.float32))
resized = torch.nn.functional.interpolate(image[None], size=(8, 8))[0]
print(resized.shape)
# => torch.Size([3, 8, 8])

# %%
# What does not help
# ------------------
#
# With ``batch_size=1`` no item is stacked with another, so the error goes, and a step sees one item.

print([batch.shape for batch in DataLoader(items, batch_size=1)])
# => [torch.Size([1, 3]), torch.Size([1, 2])]

# %%
# ``torch.cat`` of sequences joins them too, but where one ends and the next begins is lost.

print(torch.cat([torch.from_numpy(item) for item in items]).shape)
# => torch.Size([5])
