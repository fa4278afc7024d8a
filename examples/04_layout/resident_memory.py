"""
Memory grows while reading a memory-mapped file
===============================================

Reading a mapped file raises the resident memory of the process, and that is no leak: the pages
belong to the system's file cache, which takes them back when it needs the room.
"""

# sphinx_gallery_tags = ["memmap", "memory", "files"]

import pathlib
import tempfile

import numpy as np
import torch

# %%
# Linux tells how much memory of a process is in use, in total and the part that belongs to files.


def resident(name):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith(name)]
    return int(line.split()[1]) * 1024


folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "table.npy")
size = 64 * 2**20
np.save(path, np.ones(size, dtype=np.uint8))

# %%
# Mapping reads nothing, however large the file. The tensor shares the mapping, so it costs nothing
# either.

before = resident("VmRSS")
tensor = torch.from_numpy(np.load(path, mmap_mode="c"))
print(resident("VmRSS") - before < size // 2)
# => True

# %%
# A sum touches every page. The whole file now counts as resident, though no memory was allocated:
# the growth is in the part for files.

before, files, private = resident("VmRSS"), resident("RssFile"), resident("RssAnon")
total = tensor.sum()
print(resident("VmRSS") - before > size // 2)
# => True
print(resident("RssFile") - files > size // 2, resident("RssAnon") - private > size // 2)
# => True False

# %%
# Other processes that map the file have the same pages, and each of them counts all of it. Adding
# up the resident memory of the workers of a loader therefore counts the file several times.
#
# A write is different. In a mapping with copy-on-write it copies the page, and that is memory of
# this process alone.

private = resident("RssAnon")
tensor.add_(1)
print(resident("RssAnon") - private > size // 2)
# => True

# %%
# :func:`torch.tensor` and :func:`numpy.load` without a mapping allocate at once, which the system
# cannot take back.

del tensor
private = resident("RssAnon")
owned = torch.tensor(np.load(path, mmap_mode="r"))
print(resident("RssAnon") - private > size // 2)
# => True

# %%
# Who writes where is on :doc:`/gallery/04_layout/memory_maps`, and the same for checkpoints on
# :doc:`/gallery/04_layout/mapped_checkpoints`.

print(owned[0], np.load(path, mmap_mode="r")[0])
# => tensor(1, dtype=torch.uint8) 1
folder.cleanup()
