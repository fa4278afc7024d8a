"""
Memory grows while reading a memory-mapped file
===============================================

Reading a mapped file raises the resident memory of the process, but this is not a leak: the pages
belong to the system's file cache and are freed when memory runs short.
"""

# sphinx_gallery_tags = ["memmap", "memory", "files"]

import pathlib
import tempfile

import numpy as np
import torch

# %%
# On Linux you can read how much memory a process uses, in total (``VmRSS``), for files
# (``RssFile``) and for its own allocations (``RssAnon``).


def resident(name):
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    (line,) = [line for line in lines if line.startswith(name)]
    return int(line.split()[1]) * 1024


folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "table.npy")
size = 64 * 2**20
np.save(path, np.ones(size, dtype=np.uint8))

# %%
# Mapping a file does not read it. The tensor shares the mapping, so it does not read it either.

before = resident("VmRSS")
tensor = torch.from_numpy(np.load(path, mmap_mode="c"))
print(resident("VmRSS") - before < size // 2)
# => True

# %%
# A sum reads every page. The whole file now counts as resident memory, but not as allocated memory:
# ``RssFile`` grew, ``RssAnon`` did not.

before, files, private = resident("VmRSS"), resident("RssFile"), resident("RssAnon")
total = tensor.sum()
print(resident("VmRSS") - before > size // 2)
# => True
print(resident("RssFile") - files > size // 2, resident("RssAnon") - private > size // 2)
# => True False

# %%
# Processes that map the file share its pages, and each counts the pages that it read. If you add up
# the resident memory of data-loader workers, you count such pages several times.
#
# Writing is different. In a copy-on-write mapping, a write copies the page, and the copy is memory
# of this process alone.

private = resident("RssAnon")
tensor.add_(1)
print(resident("RssAnon") - private > size // 2)
# => True

# %%
# :func:`torch.tensor` allocates memory of the process itself. To take it back, the system needs
# swap space.

del tensor
private = resident("RssAnon")
owned = torch.tensor(np.load(path, mmap_mode="r"))
print(resident("RssAnon") - private > size // 2)
# => True

# %%
# For the effect of writes see :doc:`/gallery/04_layout/memory_maps`, and
# :doc:`/gallery/04_layout/mapped_checkpoints` for checkpoints.

print(owned[0], np.load(path, mmap_mode="r")[0])
# => tensor(1, dtype=torch.uint8) 1
folder.cleanup()
