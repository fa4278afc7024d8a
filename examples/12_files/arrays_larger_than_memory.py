"""
An array that does not fit in memory: write pieces, read rows
=============================================================

Create the file with ``np.lib.format.open_memmap`` and fill it slice by slice; reopen it with
``np.load(path, mmap_mode="r")``, and make a tensor of the rows that a batch needs.
"""

# sphinx_gallery_tags = ["memmap", "npy", "memory", "files", "dataloader", "copy", "view"]

import tempfile
import tracemalloc
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# Write it in pieces
# ------------------
#
# ``open_memmap`` makes an ordinary ``.npy`` of the full size. Each piece goes to its slice, and the system writes
# it to the disk, so the program holds one piece. Here the pieces are ``float64``, and the file halves them.

path = Path(tempfile.mkdtemp()) / "images.npy"
shape = (1000, 8, 8, 4)
stored = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=shape)
for start in range(0, len(stored), 100):
    numbers = np.arange(start, start + 100, dtype=np.float64)
    stored[start : start + 100] = numbers[:, None, None, None]
stored.flush()
print(path.stat().st_size - stored.nbytes)
# => 128

# %%
# 128 bytes are the header, which holds shape and dtype. If you do not know the number of rows yet:
# :doc:`/gallery/12_files/large_arrays`.

# %%
# Read the rows of a batch
# ------------------------
#
# A map is an array whose numbers stay in the file until you use them. A list of rows makes a new array of these
# rows; a slice stays a map.

mapped = np.load(path, mmap_mode="r")
rows = mapped[[700, 3, 41]]
print(type(mapped).__name__, type(rows).__name__, type(mapped[3:6]).__name__)
# => memmap ndarray memmap
print(torch.from_numpy(rows)[:, 0, 0, 0])
# => tensor([700.,   3.,  41.])

# %%
# Copy a slice before it becomes a tensor, because the map is read-only.

print(torch.from_numpy(np.array(mapped[3:6]))[:, 0, 0, 0])
# => tensor([3., 4., 5.])

# %%
# Single pixels need one array of indices for each axis. The result holds 5 pixels of 4 channels.

random = np.random.default_rng(0)
image, y, x = (random.integers(0, size, 5) for size in mapped.shape[:3])
pixels = mapped[image, y, x]
print(pixels.shape, type(pixels).__name__, np.array_equal(pixels[:, 0], image))
# => (5, 4) ndarray True

# %%
# Views that stay in the file
# ---------------------------
#
# Slices, ``reshape`` of this map and sliding windows copy nothing. ``sliding_window_view`` returns an ``ndarray``,
# so ask ``np.shares_memory``. Reshaping a transposed map copies, since the numbers need another order.

flat = mapped.reshape(-1, 4)
windows = np.lib.stride_tricks.sliding_window_view(mapped, 10, axis=0)
print(flat.shape, np.shares_memory(flat, mapped))
# => (64000, 4) True
print(windows.shape, type(windows).__name__, np.shares_memory(windows, mapped))
# => (991, 8, 8, 4, 10) ndarray True
print(np.shares_memory(mapped.T.reshape(-1), mapped))
# => False

# %%
# What makes an array of full size
# --------------------------------
#
# ``tracemalloc`` counts what NumPy allocates. ``np.array``, ``astype``, arithmetic and ``std`` on the map make a new
# array of its numbers. ``mean`` also reads the whole file, but needs little memory.


def fits(function):
    tracemalloc.start()
    function()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak < mapped.nbytes


print(fits(lambda: np.array(mapped)), fits(lambda: mapped.astype(np.float64)))
# => False False
print(fits(lambda: mapped / 255), fits(mapped.std))
# => False False
print(fits(mapped.mean), fits(lambda: mapped[::100] / 255))
# => True True

# %%
# ``torch.tensor(mapped)`` copies the numbers as well, and so does a cast of the whole tensor, or ``.to("cuda")``
# on the GPU. Torch's message is then
# :doc:`/gallery/13_errors/host_memory`.

# %%
# Calculate mean and deviation block by block, with sums in ``float64``.


def statistics(array, block=100):
    count, total, squares = 0, 0.0, 0.0
    for start in range(0, len(array), block):
        part = array[start : start + block].astype(np.float64)
        count += part.size
        total += part.sum()
        squares += np.square(part).sum()
    mean = total / count
    return mean, np.sqrt(squares / count - mean**2)


mean, deviation = statistics(mapped)
print(mean, np.isclose(deviation, np.arange(1000).std()), fits(lambda: statistics(mapped)))
# => 499.5 True True

# %%
# A Dataset on the file
# ---------------------
#
# Keep the path, and open the map in the process that reads: workers that are spawned would receive a copy of an
# open map. :doc:`/gallery/11_data/mapped_datasets` shows it.


class Rows(Dataset):
    def __init__(self, path):
        self.path = path
        self.length = len(np.load(path, mmap_mode="r"))
        self.array = None

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        if self.array is None:
            self.array = np.load(self.path, mmap_mode="r")
        return torch.from_numpy(self.array[index].copy()), index


loader = DataLoader(Rows(path), batch_size=256, shuffle=True, num_workers=2)
batch, indices = next(iter(loader))
print(batch.shape, torch.equal(batch[:, 0, 0, 0], indices.float()))
# => torch.Size([256, 8, 8, 4]) True

# %%
# Random rows are read at many places of the file, which costs most on a rotating or network disk. There, shuffle
# blocks of neighbouring rows, then the rows within some of these blocks.

# %%
# Write predictions into a map
# ----------------------------
#
# The indices of a batch say which rows of the output it fills, so the order of the batches does not matter.

model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(256, 2))
target = path.with_name("predictions.npy")
predictions = np.lib.format.open_memmap(target, mode="w+", dtype=np.float32, shape=(1000, 2))
with torch.no_grad():
    for batch, indices in loader:
        predictions[indices.numpy()] = model(batch).cpu().numpy()
predictions.flush()
print(np.load(target, mmap_mode="r").shape, bool((predictions[1:] != 0).all()))
# => (1000, 2) True

# %%
# To change some rows later, open the file with ``mmap_mode="r+"``. The modes, and what a write in each of them
# does: :doc:`/gallery/04_layout/memory_maps`.
