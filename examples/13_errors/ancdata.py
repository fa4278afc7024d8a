"""
RuntimeError: received 0 items of ancdata
=========================================

Each tensor from another process holds an open file until it is freed, and the process may open no
more: copy the batches that you keep.

.. fix::

   - received.append(queue.get())
   + received.append(queue.get().clone())
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
    for number in range(200):
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
    for _ in range(100):
        received.append(queue.get())
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
# Copy what you keep. A clone has memory of its own, which needs no descriptor.

kept.clear()
for _ in range(100):
    received.append(queue.get().clone())
print(len(received))
# => 100

# %%
# So has an array that is a copy, or a Python number.

arrays = [batch.numpy().copy() for batch in loader]
numbers = [batch.item() for batch in loader]
print(len(arrays), len(numbers))
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
# Works, but slowly
# -----------------
#
# Without workers nothing is sent, and nothing is prepared in advance.

print(len(list(DataLoader(range(100), batch_size=1))))
# => 100

# %%
# What does not help
# ------------------
#
# ``numpy()`` shares the memory and keeps its descriptor, and so does a part of a batch, which is a
# view. Each of these five closes a file as it goes.

mp.set_sharing_strategy("file_descriptor")
views = [batch.numpy()[:1] for batch, _ in zip(loader, range(5))]
opened = len(os.listdir("/proc/self/fd"))
views.clear()
print(opened - len(os.listdir("/proc/self/fd")) >= 5)
# => True

# %%
# Ending the sender frees nothing that has been received, and loses what has not. Fetch everything
# first.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
rest = list(iter(queue.get, None))
done.set()
sender.join()
print(sender.exitcode, rest[-1])
# => 0 tensor([199])
