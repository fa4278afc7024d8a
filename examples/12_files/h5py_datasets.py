"""
h5py dataset to tensor
======================

Read an h5py dataset with ``torch.from_numpy(dataset[:])``, or fill a contiguous tensor in place
with ``dataset.read_direct(tensor.numpy())``; open the file in each worker process.
"""

# sphinx_gallery_tags = ["h5py", "files", "warning"]

import pickle
import warnings

import h5py
import numpy as np
import torch

# %%
# A dataset looks like an array but is a handle to a file, here one in memory. ``from_numpy`` raises
# for it. An index reads from the file: ``[:]`` reads the whole dataset into a new array.

file = h5py.File("example.h5", "w", driver="core", backing_store=False)
dataset = file.create_dataset("rows", data=np.arange(6.0).reshape(3, 2))
try:
    torch.from_numpy(dataset)
except TypeError as error:
    print(error)
# => expected np.ndarray (got Dataset)
tensor = torch.from_numpy(dataset[:])
print(tensor.shape)
# => torch.Size([3, 2])

# %%
# :func:`torch.tensor` accepts this dataset but treats it as a list of arrays: it reads row by row,
# and gives the warning for such lists.

with warnings.catch_warnings(record=True) as caught:
    torch.tensor(dataset)
print("list of numpy.ndarrays is extremely slow" in str(caught[0].message))
# => True

# %%
# A slice that you read is a copy. To change the file, assign to the dataset. An assignment to
# ``dataset[0][0]`` is silently lost, because it changes a temporary copy.

tensor[0, 0] = 70
print(dataset[0, 0])
# => 0.0
dataset[0][0] = 70
print(dataset[0, 0])
# => 0.0
dataset[:] = tensor
print(dataset[0, 0])
# => 70.0

# %%
# ``read_direct`` fills a contiguous tensor in place: it writes into the tensor's array, without a
# temporary array.

batch = torch.empty(3, 2, dtype=torch.float64)
dataset.read_direct(batch.numpy())
print(batch[0])
# => tensor([70.,  1.], dtype=torch.float64)

# %%
# h5py raises for indices that do not increase, such as those of a shuffling sampler. Sort the
# indices for the read, then restore the order on the tensor.

indices = torch.tensor([2, 0])
try:
    dataset[indices.numpy()]
except TypeError as error:
    print(error)
# => Indexing elements must be in increasing order
ordered, order = indices.sort()
rows = torch.empty(2, 2, dtype=torch.float64)
rows[order] = torch.from_numpy(dataset[ordered.numpy()])
print(rows[:, 1])
# => tensor([5., 1.], dtype=torch.float64)

# %%
# The array has the byte order of the file. Convert it before you make a tensor; the error is on
# :doc:`/gallery/13_errors/byte_order`.

foreign = file.create_dataset("foreign", data=np.arange(3, dtype=">f4"))
print(torch.from_numpy(foreign[:].astype(np.float32)))
# => tensor([0., 1., 2.])

# %%
# A dataset does not pickle, so sending it to a spawned worker process raises. Forked workers that
# inherit the handle have `read wrong data or failed
# <https://github.com/pytorch/pytorch/issues/11887>`__. Open the file in the worker, at the first
# read.

try:
    pickle.dumps(dataset)
except TypeError as error:
    print(error)
# => h5py objects cannot be pickled
file.close()
