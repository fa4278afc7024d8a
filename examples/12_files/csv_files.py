"""
CSV file to a tensor: read_csv with float32, in chunks
======================================================

``torch.from_numpy(pd.read_csv(path, dtype=np.float32).to_numpy(copy=True))`` reads numbers. A file larger than
memory is read with ``chunksize``; save it as ``.npy`` once, and later runs need no parsing.
"""

# sphinx_gallery_tags = ["csv", "pandas", "loadtxt", "files", "memory", "chunks", "table", "memmap"]

import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import torch

# %%
# By default, pandas reads decimal numbers as ``float64``, which takes twice the memory.

text = "width,height,label\n1.5,2,0\n3,4.25,1\n5,6,1\n"
frame = pd.read_csv(io.StringIO(text), dtype=np.float32)
table = torch.from_numpy(frame.to_numpy(copy=True))
print(table.shape, table.dtype)
# => torch.Size([3, 3]) torch.float32

# %%
# Labels are whole numbers, so split them off, and cast them to ``int64`` for the loss. ``float32`` holds
# whole numbers exactly up to 16,777,216: read larger ids with a dtype of their own.

features, labels = table[:, :2], table[:, 2].long()
print(features.shape, labels)
# => torch.Size([3, 2]) tensor([0, 1, 1])

# %%
# ``np.loadtxt`` does for small files, and needs no pandas. ``skiprows`` leaves the header out.

array = np.loadtxt(io.StringIO(text), delimiter=",", skiprows=1, dtype=np.float32)
print(torch.equal(torch.from_numpy(array), table))
# => True

# %%
# With ``chunksize``, pandas reads some rows at a time. Write them into a file that is mapped, and train from
# that. The number of rows is known from a first pass.

path = Path(tempfile.mkdtemp()) / "table.npy"
rows = len(text.splitlines()) - 1
stored = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(rows, 3))
start = 0
for chunk in pd.read_csv(io.StringIO(text), dtype=np.float32, chunksize=2):
    stored[start : start + len(chunk)] = chunk
    start += len(chunk)
stored.flush()
print(start, np.load(path, mmap_mode="r").shape)
# => 3 (3, 3)

# %%
# Text columns need codes first: a category gives an ``int8`` or larger code for each value, and -1 for a gap.

names = pd.Series(["cat", "dog", None, "cat"], dtype="category")
print(torch.from_numpy(names.cat.codes.to_numpy(copy=True)).long())
# => tensor([ 0,  1, -1,  0])

# %%
# Tables with columns of several dtypes: :doc:`/gallery/12_files/pandas_columns`.
