"""
TensorDataset from NumPy arrays
===============================

``TensorDataset`` raises for an array: wrap it with ``torch.from_numpy``, which shares memory, so
an in-place operation on an item such as ``dataset[0]`` changes the array.
"""

# sphinx_gallery_tags = ["dataloader", "datasets", "sharing", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

# %%
# :class:`torch.utils.data.TensorDataset` is for tensors. For an array it raises, and the message is
# not helpful: the class calls ``size``, which is a method of a tensor but a number on an array.

features = np.arange(6.0, dtype=np.float32).reshape(3, 2)
try:
    TensorDataset(features)
except TypeError as error:
    print(error)
# => 'int' object is not callable

# %%
# Wrap the arrays with :func:`torch.from_numpy`, which shares their memory. The dataset then shows
# the array's current values, also after a later write.

labels = np.array([0, 1, 1])
dataset = TensorDataset(torch.from_numpy(features), torch.from_numpy(labels))
features[0, 0] = 50
print(dataset[0])
# => (tensor([50.,  1.]), tensor(0))

# %%
# Sharing works in both directions: ``dataset[1]`` is a view, so an in-place operation on it changes
# the data for later epochs.

row, label = dataset[1]
row.mul_(10)
print(features[1])
# => [20. 30.]

# %%
# A batch is a stacked copy, so you can change it freely. With ``batch_size=None`` this loader does
# not stack, and the items are views again.

for batch, _ in DataLoader(dataset, batch_size=3):
    batch.zero_()
print(features[2])
# => [4. 5.]
for item, _ in DataLoader(dataset, batch_size=None):
    item.zero_()
print(features[2])
# => [0. 0.]

# %%
# You do not need a dataset class: an object with a length and an index is enough, such as an array.
# The rows of this array are collated into tensors of its dtype.

ages = np.array([[31], [47], [52]], dtype=np.int16)
for batch in DataLoader(ages, batch_size=2):
    print(batch.dtype, batch.shape)
# => torch.int16 torch.Size([2, 1])
# => torch.int16 torch.Size([1, 1])

# %%
# With ``batch_size=None`` each row of this array becomes a tensor without a copy. The tensor shares
# memory with the array, so this loop changes the data.

for item in DataLoader(ages, batch_size=None):
    item += 1
print(ages.ravel())
# => [32 48 53]
