"""
Write an array larger than memory to disk piece by piece
========================================================

``np.lib.format.open_memmap(path, mode="w+", dtype=..., shape=...)`` makes a ``.npy`` of the full size, and you
fill slices of it. Then map it with ``np.load(path, mmap_mode="r")``, and copy rows into tensors.
"""

# sphinx_gallery_tags = ["memmap", "npy", "files", "memory", "append", "features", "embeddings", "chunks"]

import tempfile
from pathlib import Path

import numpy as np
import torch

# %%
# Give the size at the start. Each batch is written into the map, so your program holds one batch at a time.

path = Path(tempfile.mkdtemp()) / "features.npy"
stored = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(6, 4))
for start in range(0, 6, 2):
    batch = torch.full((2, 4), float(start), requires_grad=True)
    stored[start : start + 2] = batch.detach().cpu().numpy()
stored.flush()
print(path.stat().st_size)
# => 224

# %%
# Map it for reading. A row is copied, since a tensor of the map itself would have read-only memory.

features = np.load(path, mmap_mode="r")
print(torch.from_numpy(features[4].copy()))
# => tensor([4., 4., 4., 4.])

# %%
# A batch of random rows is one index, which copies already.

rows = torch.from_numpy(features[np.sort([5, 0, 3])])
print(rows[:, 0])
# => tensor([0., 2., 4.])

# %%
# If the number of rows is unknown, append raw bytes, and let the size of the file say how many there are.

raw = path.with_suffix(".bin")
for count in (1, 3):
    with raw.open("ab") as file:
        file.write(torch.ones(count, 4).numpy().tobytes())
appended = np.memmap(raw, dtype=np.float32, mode="r").reshape(-1, 4)
print(appended.shape)
# => (4, 4)

# %%
# Several ``np.save`` calls on one open file store several arrays one after the other. Each ``np.load`` on the
# open file returns the next one. With ``mmap_mode``, or with a path, you get the first array alone.

many = path.with_name("many.npy")
with many.open("wb") as file:
    np.save(file, np.zeros(2))
    np.save(file, np.ones(3))
with many.open("rb") as file:
    print(np.load(file).shape, np.load(file).shape)
# => (2,) (3,)

# %%
# Workers open the map for themselves: :doc:`/gallery/11_data/mapped_datasets`. Operations that read the whole file:
# :doc:`/gallery/12_files/arrays_larger_than_memory`.
