"""
RuntimeError: received 0 items of ancdata
=========================================

Tensors from another process keep files open until they are freed, and the process has reached its
limit of open files: copy the batches that you keep.

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
# By default on Linux each tensor of this queue arrives as the descriptor of a file in shared memory,
# which `stays open as long as the tensor lives
# <https://docs.pytorch.org/docs/stable/multiprocessing.html#file-descriptor-file-descriptor>`__.
# This page sets a limit of 64 descriptors, so that the error comes early.


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
# With a data loader the message names the cause.

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
# Copy the tensors that you keep. A clone has its own memory and needs no descriptor.

kept.clear()
for _ in range(100):
    received.append(queue.get().clone())
print(len(received))
# => 100

# %%
# A copied array and a Python number need no descriptor either.

arrays = [batch.numpy().copy() for batch in loader]
numbers = [batch.item() for batch in loader]
print(len(arrays), len(numbers))
# => 100 100

# %%
# If you need more batches at once than the limit allows, raise it with ``ulimit -n`` in the shell,
# or with this call. You can raise it up to the second number.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
print(len(list(loader)))
# => 100

# %%
# The strategy ``file_system`` sends file names instead of descriptors. Set it at the start of the
# program. For its disadvantages see :doc:`/gallery/11_data/sharing_strategies`.

mp.set_sharing_strategy("file_system")
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
print(len(list(loader)))
# => 100

# %%
# Works, but slowly
# -----------------
#
# Without workers no batch is sent between processes, but the next one is not prepared in advance
# either.

print(len(list(DataLoader(range(100), batch_size=1))))
# => 100

# %%
# What does not help
# ------------------
#
# ``numpy()`` shares the memory, so the array keeps the descriptor open. A slice of a batch is a
# view and does the same. When these five views are deleted, their files are closed.

mp.set_sharing_strategy("file_descriptor")
views = [batch.numpy()[:1] for batch, _ in zip(loader, range(5))]
opened = len(os.listdir("/proc/self/fd"))
views.clear()
print(opened - len(os.listdir("/proc/self/fd")) >= 5)
# => True

# %%
# Ending the sender does not close descriptors of received tensors, and loses those not yet
# received. Receive everything first.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
rest = list(iter(queue.get, None))
done.set()
sender.join()
print(sender.exitcode, rest[-1])
# => 0 tensor([199])
