"""
RuntimeError: unable to open shared memory object
=================================================

Each tensor in shared memory holds an open file, and the process may open no more: put many small
tensors into one, or raise the limit.

.. fix::

   - shared.append(torch.zeros(3).share_memory_())
   + shared = torch.zeros(100, 3).share_memory_()
"""

# sphinx_gallery_tags = ["multiprocessing", "memory", "sharing", "error"]

import resource

import torch
import torch.multiprocessing as mp

# %%
# The error
# ---------
#
# :meth:`torch.Tensor.share_memory_` opens a file in shared memory for each storage. So does sending a
# tensor to another process, and ``share_memory`` of a model for each of its parameters. A limit of 64
# descriptors instead of the usual 1024 shows it early.

limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
shared = []
try:
    for _ in range(100):
        shared.append(torch.zeros(3).share_memory_())
except RuntimeError as error:
    start, end = str(error).split(" </")[0], str(error).split("> ")[1]
    print(start, "…", end)
# => unable to open shared memory object … in read-write mode: Too many open files (24)

# %%
# The fix
# -------
#
# Share one tensor and use its rows, which are views of the same memory. NumPy works on it as well.

shared.clear()
shared = torch.zeros(100, 3).share_memory_()
rows = list(shared)
rows[99].numpy()[0] = 5
print(len(rows), rows[0].is_shared(), shared[99])
# => 100 True tensor([5., 0., 0.])

# %%
# Where the tensors must be separate, raise the limit: ``ulimit -n`` in the shell, or this call.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
separate = [torch.zeros(3).share_memory_() for _ in range(100)]
print(len(separate))
# => 100

# %%
# The strategy ``file_system`` keeps no file open: :doc:`/gallery/11_data/sharing_strategies`.

separate.clear()
resource.setrlimit(resource.RLIMIT_NOFILE, (64, most))
mp.set_sharing_strategy("file_system")
separate = [torch.zeros(3).share_memory_() for _ in range(100)]
print(len(separate))
# => 100

# %%
# What does not help
# ------------------
#
# More memory for ``/dev/shm`` is for another error, in which a worker is ``killed by signal: Bus
# error``: there the files are too large, here they are too many. Smaller tensors need as many files.

mp.set_sharing_strategy("file_descriptor")
smaller = []
try:
    for _ in range(100):
        smaller.append(torch.zeros(1).share_memory_())
except RuntimeError as error:
    print(str(error).split("> ")[1])
# => in read-write mode: Too many open files (24)
smaller.clear()
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
