"""
set_sharing_strategy: file_descriptor or file_system
====================================================

Both strategies put a tensor into the same shared memory; ``file_descriptor`` keeps a descriptor open
for each, ``file_system`` a named file that may be left over after a crash.
"""

# sphinx_gallery_tags = ["multiprocessing", "workers", "dataloader", "memory", "sharing"]

import os

import numpy as np
import torch.multiprocessing as mp
from torch.utils.data import DataLoader

# %%
# Linux offers both, and descriptors are the default. Other systems have ``file_system`` alone.

print(mp.get_sharing_strategy())
# => file_descriptor
print(sorted(mp.get_all_sharing_strategies()))
# => ['file_descriptor', 'file_system']

# %%
# Each batch that a worker sends is a file in shared memory. With descriptors it has no name, so the
# kernel frees it as soon as nobody has it open, even after a crash. The price is one open descriptor
# for each storage that is alive: :doc:`they run out </gallery/13_errors/ancdata>` when many are kept.

rows = np.arange(40.0).reshape(20, 2)
loader = DataLoader(rows, batch_size=2, num_workers=1, multiprocessing_context="fork")


def free_descriptors(batches):
    before = len(os.listdir("/proc/self/fd"))
    batches.clear()
    return before - len(os.listdir("/proc/self/fd"))


kept = list(loader)
print(len(kept))
# => 10
print(free_descriptors(kept) >= 10)
# => True

# %%
# A copy closes it. The batch that it was made from is gone in the next round of the loop.

kept = [batch.clone() for batch in loader]
print(free_descriptors(list(kept)) < 10)
# => True

# %%
# With ``file_system`` the file has a name in ``/dev/shm``, and no descriptor stays open. A process
# beside yours, ``torch_shm_manager``, removes the files of processes that ended without doing so.

mp.set_sharing_strategy("file_system")
named = list(loader)
print(len(named), free_descriptors(list(named)) < 10)
# => 10 True

# %%
# The memory is shared either way: an array of a batch is a view of it, and its place must be large
# enough for all batches that are kept or prefetched. Where it is not, a worker is killed by a ``Bus
# error``, and neither strategy helps: give a container more with ``--shm-size``, or use fewer workers
# and smaller batches.

print(named[0].is_shared(), kept[0].is_shared())
# => True False
print(np.shares_memory(named[0].numpy(), named[0].numpy()))
# => True

# %%
# The setting is one of the process that sends, at the time of sending: change it before the workers
# start, and in each process that was spawned rather than forked.

mp.set_sharing_strategy("file_descriptor")
print(mp.get_sharing_strategy())
# => file_descriptor
