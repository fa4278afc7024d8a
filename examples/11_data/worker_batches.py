"""
DataLoader workers: do arrays share memory or get copied?
=========================================================

Return tensors from workers: they arrive in shared memory, while arrays are pickled. Writes to an
ordinary array of the dataset stay in the worker; for shared results, make the array from a tensor
in shared memory.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "sharing", "silent"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# A worker puts a batch of tensors into shared memory, so a handle goes through the pipe instead of
# the values. Without workers the batch is in ordinary memory.

rows = np.arange(4.0)
(alone,) = DataLoader(rows, batch_size=4)
(sent,) = DataLoader(rows, batch_size=4, num_workers=1, multiprocessing_context="fork")
print(alone.is_shared(), sent.is_shared())
# => False True

# %%
# In the main process such a tensor converts as usual. Its array uses the shared memory and is
# writable.

array = sent.numpy()
array[0] = 90
print(sent)
# => tensor([90.,  1.,  2.,  3.], dtype=torch.float64)

# %%
# If a collate function returns arrays, they are pickled: their bytes are copied into the pipe and
# out again. The received array has its own memory.


def stack(items):
    return np.stack(items)


(batch,) = DataLoader(
    rows, batch_size=4, num_workers=1, collate_fn=stack, multiprocessing_context="fork"
)
print(type(batch), batch.flags.writeable)
# => <class 'numpy.ndarray'> True

# %%
# Writes of a worker to an ordinary array of its dataset stay in the worker. This dataset counts its
# reads, and the count in the main process does not change.


class Counting(Dataset):
    def __init__(self, counts):
        self.counts = counts

    def __len__(self):
        return 3

    def __getitem__(self, index):
        self.counts[index] += 1
        return index


def read_once(dataset):
    for _ in DataLoader(dataset, num_workers=1, multiprocessing_context="fork"):
        pass


private = Counting(np.zeros(3))
read_once(private)
print(private.counts)
# => [0. 0. 0.]

# %%
# A tensor in shared memory is the same memory in the worker and its parent. With forked workers, as
# here, this is also true of an array made from it *afterwards*; a spawned process gets a copy of
# the array. Use such a tensor for a cache that workers fill.

shared = Counting(torch.zeros(3).share_memory_().numpy())
read_once(shared)
print(shared.counts)
# => [1. 1. 1.]
