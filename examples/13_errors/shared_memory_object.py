"""
RuntimeError: unable to open shared memory object
=================================================

By default on Linux, each block of shared memory keeps a file open, and the process has reached its
limit of open files: put many small tensors into one, or raise the limit.

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
# :meth:`torch.Tensor.share_memory_` opens a file in shared memory for each storage. So does sending
# a tensor to another process. ``share_memory`` of a model does it for each parameter and
# buffer. This page sets a limit of 64 descriptors, so that the error comes early.

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
# Share one tensor and use its rows, which are views of the same memory. Arrays made from them share
# it too.

shared.clear()
shared = torch.zeros(100, 3).share_memory_()
rows = list(shared)
rows[99].numpy()[0] = 5
print(len(rows), rows[0].is_shared(), shared[99])
# => 100 True tensor([5., 0., 0.])

# %%
# If the tensors must be separate, raise the limit with ``ulimit -n`` in the shell, or with this
# call.

resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
separate = [torch.zeros(3).share_memory_() for _ in range(100)]
print(len(separate))
# => 100

# %%
# The strategy ``file_system`` does not keep a file open for each of these tensors:
# :doc:`/gallery/11_data/sharing_strategies`.

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
# More memory for ``/dev/shm`` does not help here. It helps if a worker is
# ``killed by signal: Bus error``, because then the files are too large. Here there are too many
# files, and smaller tensors need just as many.

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
