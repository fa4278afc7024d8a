"""
np.memmap in DataLoader workers: open the file in each worker
=============================================================

A dataset that holds an open ``np.memmap`` is copied whole when it is pickled for a spawned worker:
keep the path, and open the file in ``__getitem__``.
"""

# sphinx_gallery_tags = ["dataloader", "memmap", "workers", "multiprocessing", "files", "copy"]

import pathlib
import pickle
import tempfile

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# Pickle does not know that the array is a file. It writes the numbers, and what comes back is an
# array in memory that can be written to. Workers get the dataset by pickle if they are spawned,
# which is the default on Windows and macOS.

folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "rows.npy")
np.save(path, np.ones((1000, 100), dtype=np.float32))
mapped = np.load(path, mmap_mode="r")
pickled = pickle.dumps(mapped)
print(mapped.nbytes, len(pickled) > mapped.nbytes)
# => 400000 True
print(mapped.flags.writeable, pickle.loads(pickled).flags.writeable)
# => False True

# %%
# This dataset holds the path. Each process opens the file when it reads its first row. The
# operating system keeps one copy of the pages for these processes.


class MappedRows(Dataset):
    def __init__(self, path):
        self.path = path
        self.length = len(np.load(path, mmap_mode="r"))
        self.rows = None

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if self.rows is None:
            self.rows = np.load(self.path, mmap_mode="r")
        return torch.tensor(self.rows[index])


dataset = MappedRows(path)
print(len(pickle.dumps(dataset)) < 1000)
# => True

# %%
# ``torch.tensor`` copies the row, which is read from the file at this moment. ``torch.from_numpy``
# would warn that the array is not writable, once in each worker:
# :doc:`/gallery/11_data/warning_per_worker`.

loader = DataLoader(dataset, batch_size=4, num_workers=2, multiprocessing_context="fork")
batch = next(iter(loader))
print(batch.shape, batch.dtype)
# => torch.Size([4, 100]) torch.float32

# %%
# If the main process reads a row first, the dataset holds an open file, and is pickled whole again.

dataset[0]
print(len(pickle.dumps(dataset)) > mapped.nbytes)
# => True

# %%
# Forked workers, the default on Linux up to Python 3.13, inherit the open file without a copy. A list
# of arrays is different: :doc:`/gallery/11_data/lists_in_workers`. Writes to a mapped file are described
# in :doc:`/gallery/04_layout/memory_maps`. A dataset of many ``.npy`` files: :doc:`/gallery/11_data/npy_dataset`.
