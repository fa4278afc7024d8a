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
# Linux offers both strategies, and ``file_descriptor`` is the default. macOS and Windows have
# ``file_system``.

print(mp.get_sharing_strategy())
# => file_descriptor
print(sorted(mp.get_all_sharing_strategies()))
# => ['file_descriptor', 'file_system']

# %%
# Each batch that this worker sends is one tensor, in a file in shared memory. With
# ``file_descriptor`` the file has no name, so the kernel frees it as soon as no process has it
# open, even after a crash. But each live storage needs an open descriptor: :doc:`they run out
# </gallery/13_errors/ancdata>` if you keep many batches.

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
# If you keep a clone of each batch, the batch itself is freed in the next round of the loop, and
# its descriptor is closed.

kept = [batch.clone() for batch in loader]
print(free_descriptors(list(kept)) < 10)
# => True

# %%
# With ``file_system`` the file has a name in ``/dev/shm``, and no descriptor stays open. A helper
# process, ``torch_shm_manager``, removes the files of processes that ended without doing so.

mp.set_sharing_strategy("file_system")
named = list(loader)
print(len(named), free_descriptors(list(named)) < 10)
# => 10 True

# %%
# With both strategies a batch is in shared memory, and so is its array. The batches that you keep
# or prefetch need room there. If the shared memory is full, the loader raises
# ``unable to allocate shared memory``. With a ``collate_fn`` of your own, the worker may print this
# error and send no batch, so the loop waits. In `older releases
# <https://github.com/pytorch/pytorch/pull/161910>`__ a ``Bus error`` kills the worker. Give a
# container more with ``--shm-size``, or use fewer workers and smaller batches.

print(named[0].is_shared(), kept[0].is_shared())
# => True False
print(np.shares_memory(named[0].numpy(), named[0].numpy()))
# => True

# %%
# The setting belongs to the sending process. Change it before the workers start, and in each
# process that was spawned rather than forked.

mp.set_sharing_strategy("file_descriptor")
print(mp.get_sharing_strategy())
# => file_descriptor
