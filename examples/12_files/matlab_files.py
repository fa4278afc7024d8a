"""
MATLAB .mat file to a tensor: loadmat, v7.3 and h5py
====================================================

``torch.from_numpy(loadmat(file)["x"])`` gives a tensor with two or more axes, often ``float64``. A
v7.3 file is HDF5: read it with ``h5py`` and transpose, because its axes are reversed.
"""

# sphinx_gallery_tags = ["matlab", "files", "scipy", "h5py", "layout", "dtype"]

import io

import h5py
import numpy as np
import torch
from scipy.io import loadmat, savemat

# %%
# ``loadmat`` returns a dictionary of arrays, with a few entries about the file. These numbers are
# ``float64``, and a vector has two axes. A file of MATLAB may store whole numbers in a smaller type
# such as ``uint8``, and ``loadmat`` returns that. Cast, and flatten what has one row.

file = io.BytesIO()
savemat(file, {"x": np.arange(6.0).reshape(2, 3), "labels": np.array([1.0, 2.0])})
contents = loadmat(file)
print(contents["x"].dtype, contents["x"].shape, contents["labels"].shape)
# => float64 (2, 3) (1, 2)
x = torch.from_numpy(contents["x"]).float()
labels = torch.from_numpy(contents["labels"].ravel()).long()
print(x.dtype, labels)
# => torch.float32 tensor([1, 2])

# %%
# MATLAB counts from 1. Subtract 1 from indices, and from labels that start at 1.

print(labels - 1)
# => tensor([0, 1])

# %%
# These arrays are in :doc:`Fortran order </gallery/04_layout/fortran_order>`, as MATLAB stores
# them. ``from_numpy`` keeps their strides; ``contiguous`` reorders the elements.

shared = torch.from_numpy(contents["x"])
print(shared.stride(), shared.contiguous().stride())
# => (1, 2) (3, 1)

# %%
# Files of version 7.3
# --------------------
#
# MATLAB needs ``-v7.3`` for variables over 2 GB, and ``loadmat`` refuses such files. This file has the header of
# such a file and its data as MATLAB lays them out.

file = io.BytesIO()
with h5py.File(file, "w", userblock_size=512) as handle:
    handle["x"] = np.arange(6.0).reshape(2, 3).T
header = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
file.getbuffer()[:128] = header
try:
    loadmat(file)
except NotImplementedError as error:
    print(error)
# => Please use HDF reader for matlab v7.3 files, e.g. h5py

# %%
# Read it with ``h5py``, and reverse the axes with ``T``. ``[()]`` reads the
# whole variable.

with h5py.File(file) as handle:
    stored = handle["x"][()]
x = torch.from_numpy(stored.T.astype(np.float32))
print(stored.shape, x.shape)
# => (3, 2) torch.Size([2, 3])
