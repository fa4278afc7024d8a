"""
received 0 items of ancdata
===========================

The process has used up its file descriptors, one for each tensor received from another process: copy
the batches that you keep, raise ``ulimit -n``, or set the sharing strategy ``file_system``.
"""

# sphinx_gallery_tags = ["multiprocessing", "dataloader", "workers", "memory", "error"]

import os
import resource

import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader

# %%
# The error
# ---------
#
# On Linux a tensor comes from another process as the descriptor of a file in shared memory, which
# `stays open as long as the tensor lives
# <https://docs.pytorch.org/docs/stable/multiprocessing.html#file-descriptor-file-descriptor>`__. A
# limit of 64 descriptors instead of the usual 1024 or more shows early what keeping them leads to.


def send(queue, done):
    for number in range(100):
        queue.put(torch.tensor([number]))
    queue.put(None)
    done.wait()


fork = mp.get_context("fork")
queue, done = fork.SimpleQueue(), fork.Event()
sender = fork.Process(target=send, args=(queue, done))
sender.start()

limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
received = []
try:
    received.extend(iter(queue.get, None))
except RuntimeError as error:
    print(error)
# => received 0 items of ancdata

# %%
# A data loader finds out why the worker cannot be reached, and says so.

received.clear()
loader = DataLoader(range(100), batch_size=1, num_workers=1, multiprocessing_context="fork")
batches = iter(loader)
kept = []
try:
    kept.extend(batches)
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => Too many open files

# %%
# The fix
# -------
#
# Copy what you keep. Memory of its own needs no descriptor: a clone, an array that is a copy, or a
# Python number.

kept.clear()
clones = [batch.clone() for batch in loader]
arrays = [batch.numpy().copy() for batch in loader]
print(len(clones), len(arrays))
# => 100 100

# %%
# Where the batches that are alive together are more than the limit, raise it: ``ulimit -n`` in the
# shell, or this call, up to the second number, which only an administrator can raise.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
print(len(list(loader)))
# => 100

# %%
# The strategy ``file_system`` passes names of files instead of descriptors. Set it at the start of
# the program. What it costs is on :doc:`/gallery/11_data/sharing_strategies`.

mp.set_sharing_strategy("file_system")
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
print(len(list(loader)))
# => 100

# %%
# What does not help
# ------------------
#
# ``numpy()`` shares the memory and keeps its descriptor, and so does a single number left as a
# tensor: ``batch[0]`` is a view.

mp.set_sharing_strategy("file_descriptor")
before = len(os.listdir("/proc/self/fd"))
views = [batch.numpy()[:1] for batch, _ in zip(loader, range(5))]
print(len(os.listdir("/proc/self/fd")) - before >= 5)
# => True

# %%
# Fewer workers open no fewer descriptors, as each batch needs its own. Only ``num_workers=0`` avoids
# them, because nothing is sent then.

views.clear()
alone = DataLoader(range(100), batch_size=1)
print(len(list(alone)))
# => 100

# %%
# The sender may end once everything has been fetched. What it shared is freed with the last tensor.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
rest = list(iter(queue.get, None))
done.set()
sender.join()
print(sender.exitcode)
# => 0
