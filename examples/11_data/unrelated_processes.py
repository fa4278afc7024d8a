"""
Share a tensor between processes that did not start each other
==============================================================

Give both a name: a block of ``multiprocessing.shared_memory``, or a file that both map. A DLPack capsule is a
pointer within one process, and on Linux the default handles of ``torch.multiprocessing`` need one process
tree.
"""

# sphinx_gallery_tags = ["shared_memory", "multiprocessing", "mpi", "ranks", "dlpack", "pickle", "memmap", "ipc"]

import subprocess
import sys
import tempfile
from multiprocessing import shared_memory
from pathlib import Path

import numpy as np
import torch

# %%
# With the default strategy ``file_descriptor``, a pickle of torch's ``ForkingPickler`` sends a descriptor
# through a server of the sender, which asks for the ``authkey`` of the process tree. Processes that MPI or a
# shell started have another key: ``AuthenticationError``. Pickling a DLPack capsule raises ``TypeError``.
#
# A file that both map has a name: its path. In ``/dev/shm`` of Linux such a file is memory. Here another
# interpreter, which knows path, dtype and shape, writes into it, and the tensor shows the change.

path = Path(tempfile.mkdtemp()) / "shared.bin"
array = np.memmap(path, dtype=np.float32, mode="w+", shape=(3,))
tensor = torch.from_numpy(array)
tensor.fill_(1)
code = """
import sys
import numpy as np
array = np.memmap(sys.argv[1], dtype=np.float32, mode="r+", shape=(3,))
array += 1
"""
subprocess.run([sys.executable, "-c", code, str(path)], check=True)
print(tensor)
# => tensor([2., 2., 2.])

# %%
# ``shared_memory`` makes a block with a name of its own, to pass as an argument or a message. The other side
# attaches with ``SharedMemory(name=...)``, and builds an array, then a tensor, on ``buf``.

block = shared_memory.SharedMemory(create=True, size=3 * 4)
mine = torch.from_numpy(np.ndarray((3,), dtype=np.float32, buffer=block.buf))
mine.fill_(5)
attached = shared_memory.SharedMemory(name=block.name)
theirs = torch.from_numpy(np.ndarray((3,), dtype=np.float32, buffer=attached.buf).copy())
print(theirs)
# => tensor([5., 5., 5.])

# %%
# Keep the block open while a tensor uses it, and unlink it once, in the process that made it:
# :doc:`/gallery/05_lifetime/closed_buffers`. On Linux, an unrelated process that attached `removes the block
# when it ends <https://github.com/python/cpython/issues/82300>`__. From Python 3.13 on, attach with
# ``track=False`` to keep it.

del mine
attached.close()
block.close()
block.unlink()

# %%
# Processes that you start yourself can send tensors directly: :doc:`/gallery/11_data/spawned_processes`. A
# write does not wait for the other side, so agree on who writes when, with a lock or a barrier of your
# launcher.
