"""
Dataset with an open HDF5 file in DataLoader workers: __getstate__
==================================================================

An open HDF5 file cannot be pickled, which workers need under ``spawn``: drop the handle in ``__getstate__``, and
open the file in ``__getitem__``, so that each worker has a handle of its own.
"""

# sphinx_gallery_tags = ["loader", "workers", "files", "h5py", "pickle", "spawn"]

import pickle
import tempfile
from pathlib import Path

import h5py
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

path = Path(tempfile.mkdtemp()) / "samples.h5"
with h5py.File(path, "w") as file:
    file["x"] = np.arange(8.0, dtype=np.float32).reshape(4, 2)

# %%
# A dataset that opens its file in ``__init__`` reaches workers as long as they are forked. Windows, macOS, and Linux since
# `Python 3.14 <https://docs.python.org/3/library/multiprocessing.html#contexts-and-start-methods>`__ start them in
# another way, and pickle the dataset.


class Opened(Dataset):
    def __init__(self):
        self.file = h5py.File(path)


opened = Opened()
try:
    pickle.dumps(opened)
except TypeError as error:
    print(error)
# => h5py objects cannot be pickled
opened.file.close()

# %%
# This one keeps the path. ``__getstate__`` says what is pickled, and each process opens the file at its
# first read.


class Samples(Dataset):
    def __init__(self, path):
        self.path = path
        self.file = None
        with h5py.File(path) as file:
            self.length = len(file["x"])

    def __getstate__(self):
        return {**self.__dict__, "file": None}

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if self.file is None:
            self.file = h5py.File(self.path)
        return torch.from_numpy(self.file["x"][index])


dataset = Samples(path)
print(dataset[1])
# => tensor([2., 3.])
copy = pickle.loads(pickle.dumps(dataset))
print(copy.file, torch.equal(copy[1], dataset[1]))
# => None True

# %%
# Forked workers would share the handle of a file that is open already. Here the one of the first read
# is closed and forgotten before the loader starts.

dataset.file.close()
dataset.file = None
batch = next(iter(DataLoader(dataset, batch_size=4, num_workers=2)))
print(batch.shape, batch.dtype)
# => torch.Size([4, 2]) torch.float32

# %%
# Reading row by row visits the file often. With ``__getitems__`` the loader asks for the whole batch, and
# h5py takes a list of increasing indices.


class Batches(Samples):
    def __getitems__(self, indices):
        ordered, inverse = np.unique(indices, return_inverse=True)
        with h5py.File(self.path) as file:
            return list(torch.from_numpy(file["x"][ordered][inverse]))


shuffled = torch.cat(list(DataLoader(Batches(path), batch_size=2, shuffle=True)))
print(shuffled.shape, shuffled[:, 0].sort().values)
# => torch.Size([4, 2]) tensor([0., 2., 4., 6.])
