"""
DataLoader worker is killed by signal: Killed
=============================================

The kernel killed the worker because memory ran out: use fewer workers, or let fewer and smaller
batches wait. ``Bus error`` instead of ``Killed`` means that shared memory is full.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "memory", "multiprocessing"]

import re
import subprocess
import sys

import numpy as np
from torch.utils.data import DataLoader

# %%
# The signal ends the worker at once, so the main process raises in its place. This script runs in a
# child process, and its worker sends itself the signal that the kernel would send.

script = """
import os
import signal
import sys
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __len__(self):
        return 8
    def __getitem__(self, index):
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))

next(iter(DataLoader(Rows(), num_workers=1, multiprocessing_context="fork")))
"""


def last_words(child):
    """The error that names the signal, without the number of the process."""
    found = re.search(
        r"RuntimeError: DataLoader worker .pid \d+. is killed .*", child.communicate()[1]
    )
    return re.sub(r"\d+", "…", found[0].split(". ")[0].strip(" ."))


def start(signal):
    return subprocess.Popen(
        [sys.executable, "-c", script, signal], stderr=subprocess.PIPE, text=True
    )


killed, bus, segment = map(start, ["SIGKILL", "SIGBUS", "SIGSEGV"])
print(last_words(killed))
# => RuntimeError: DataLoader worker (pid …) is killed by signal: Killed

# %%
# Other signals have other reasons. ``Bus error``: shared memory is full. ``Segmentation fault``: a
# library crashed.

print(last_words(bus))
# => RuntimeError: DataLoader worker (pid …) is killed by signal: Bus error
print(last_words(segment))
# => RuntimeError: DataLoader worker (pid …) is killed by signal: Segmentation fault

# %%
# Each worker prepares ``prefetch_factor`` batches ahead, 2 by default. This many bytes can wait in
# memory, on top of what the dataset itself holds.

rows = np.ones((4096, 3, 32, 32), dtype=np.float32)
loader = DataLoader(rows, batch_size=256, num_workers=1, prefetch_factor=8)
print(loader.num_workers * loader.prefetch_factor * rows[:256].nbytes)
# => 25165824

# %%
# Smaller batches, of which fewer wait, need less. So do fewer workers.

loader = DataLoader(rows, batch_size=64, num_workers=1, prefetch_factor=2)
print(loader.num_workers * loader.prefetch_factor * rows[:64].nbytes)
# => 1572864

# %%
# If memory grows while the workers read, look for a list in the dataset:
# :doc:`/gallery/11_data/lists_in_workers`. A file larger than the memory can stay on disk:
# :doc:`/gallery/11_data/mapped_datasets`.

# %%
# After ``Bus error`` it does not help to give the machine more memory: batches travel through shared
# memory, which a container limits. :doc:`/gallery/11_data/sharing_strategies` says how to get more.
# After ``Segmentation fault``, read a sample without workers to find the one that crashes.

print(next(iter(DataLoader(rows, num_workers=0))).shape)
# => torch.Size([1, 3, 32, 32])
