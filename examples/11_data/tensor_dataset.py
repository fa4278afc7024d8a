"""
TensorDataset from NumPy arrays
===============================

``TensorDataset`` takes only tensors: wrap arrays with ``torch.from_numpy``, which shares memory, so
an in-place operation on an item changes the array.
"""

# sphinx_gallery_tags = ["dataloader", "dataset", "sharing", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

# %%
# :class:`torch.utils.data.TensorDataset` takes tensors only, and says so badly: it calls ``size``,
# which is a method of a tensor and a number in an array.

features = np.arange(6.0, dtype=np.float32).reshape(3, 2)
try:
    TensorDataset(features)
except TypeError as error:
    print(error)
# => 'int' object is not callable

# %%
# :func:`torch.from_numpy` is the fix and costs no memory. The dataset then shows what is in the
# array, including what is written there later.

labels = np.array([0, 1, 1])
dataset = TensorDataset(torch.from_numpy(features), torch.from_numpy(labels))
features[0, 0] = 50
print(dataset[0])
# => (tensor([50.,  1.]), tensor(0))

# %%
# The way back is open too: an item is a view, so an in-place operation on it rewrites the data set
# for every epoch that follows.

row, label = dataset[1]
row.mul_(10)
print(features[1])
# => [20. 30.]

# %%
# A batch is a stacked copy and may be changed freely. With ``batch_size=None`` nothing is stacked,
# and the items are views again.

for batch, _ in DataLoader(dataset, batch_size=3):
    batch.zero_()
print(features[2])
# => [4. 5.]
for item, _ in DataLoader(dataset, batch_size=None):
    item.zero_()
print(features[2])
# => [0. 0.]

# %%
# No class is needed at all: whatever has a length and an index is a dataset, an array included. Its
# rows are collated into tensors of its dtype.

ages = np.array([[31], [47], [52]], dtype=np.int16)
for batch in DataLoader(ages, batch_size=2):
    print(batch.dtype, batch.shape)
# => torch.int16 torch.Size([2, 1])
# => torch.int16 torch.Size([1, 1])

# %%
# With ``batch_size=None`` each row is converted but not stacked. The tensor is on the memory of
# the array, so this loop changes the data.

for item in DataLoader(ages, batch_size=None):
    item += 1
print(ages.ravel())
# => [32 48 53]
