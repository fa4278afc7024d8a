"""
mmap_mode is ignored for npz: save npy files, or read once
==========================================================

No: ``np.load`` ignores ``mmap_mode`` for an ``.npz``, and reads an array whole at each access. Save large
arrays as ``.npy``, or keep what you read in a variable.
"""

# sphinx_gallery_tags = ["npz", "mmap", "files", "memory", "speed", "archive"]

import tempfile
from pathlib import Path

import numpy as np
import torch

# %%
# An ``.npz`` is a zip archive of ``.npy`` files. ``mmap_mode`` changes nothing, and what comes out is an array
# in memory, compressed or not.

folder = Path(tempfile.mkdtemp())
volumes = np.ones((4, 8, 8), dtype=np.float32)
np.savez(folder / "data.npz", volumes=volumes, labels=np.arange(4))
archive = np.load(folder / "data.npz", mmap_mode="r")
print(type(archive["volumes"]).__name__)
# => ndarray

# %%
# Each ``archive["volumes"]`` opens the member and reads it anew, and ``__getitem__`` would pay for this at each
# item.

print(archive["volumes"] is archive["volumes"])
# => False

# %%
# Read the arrays once, in ``__init__``, if they fit in memory. ``from_numpy`` adds no copy. A ``with`` block
# closes the file.

with np.load(folder / "data.npz") as archive:
    tensors = {name: torch.from_numpy(archive[name]) for name in archive.files}
print(tensors["volumes"].shape, tensors["labels"].dtype)
# => torch.Size([4, 8, 8]) torch.int64

# %%
# For arrays larger than memory, write one ``.npy`` for each. It can be mapped, and a row is copied before it
# becomes a tensor, since the map is read-only.

np.save(folder / "volumes.npy", volumes)
mapped = np.load(folder / "volumes.npy", mmap_mode="r")
print(type(mapped).__name__)
# => memmap
row = torch.from_numpy(mapped[2].copy())
print(row.shape)
# => torch.Size([8, 8])

# %%
# To convert a large archive to ``.npy`` files, take one array at a time.

with np.load(folder / "data.npz") as archive:
    for name in archive.files:
        np.save(folder / f"{name}.npy", archive[name])
print(sorted(path.name for path in folder.glob("*.npy")))
# => ['labels.npy', 'volumes.npy']

# %%
# In workers, open the map in each of them: :doc:`/gallery/11_data/mapped_datasets`. Checkpoints of torch have a
# map of their own: :doc:`/gallery/04_layout/mapped_checkpoints`.
