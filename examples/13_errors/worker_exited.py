"""
RuntimeError: DataLoader worker (pid(s) …) exited unexpectedly
==============================================================

A worker process died without an exception that could be shown: set ``num_workers=0`` to see the real
error; on Windows and macOS put the loop under ``if __name__ == "__main__":``.

.. fix::

   - DataLoader(dataset, num_workers=1, multiprocessing_context="fork")
   + DataLoader(dataset, num_workers=0)
"""

# sphinx_gallery_tags = ["dataloader", "workers", "memory", "error"]

import os
import re

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# The error
# ---------
#
# This dataset ends its process, as a crash in a library or the kernel of Linux does when memory runs
# out.


class Images(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        if torch.utils.data.get_worker_info():
            os._exit(1)
        return np.zeros((2, 2), dtype=np.float32)


# %%
# The message has the number of the process, and for one that ended in the wrong way its exit code. This
# class leaves them out.


class WithoutNumbers:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        raise RuntimeError(re.sub(r"\(pid.*?\d\)", "(pid(s) …)", str(error)).partition(" with")[0])


dataset = Images()
try:
    with WithoutNumbers():
        list(DataLoader(dataset, num_workers=1, multiprocessing_context="fork"))
except RuntimeError as error:
    print(error)
# => DataLoader worker (pid(s) …) exited unexpectedly

# %%
# The cause stands in the message above it in the traceback: ``exited unexpectedly with exit code 1``, or a
# signal. ``killed by signal: Killed`` is often memory, and ``Bus error`` shared memory, as in a container with
# a small ``/dev/shm``: start Docker with ``--shm-size=8g``, or use fewer workers and smaller batches.

# %%
# The fix
# -------
#
# Without workers the dataset runs in the main process. If it raises an exception, that is shown there.

print(next(iter(DataLoader(dataset, num_workers=0))).shape)
# => torch.Size([1, 2, 2])

# %%
# A worker that raises an exception does not die: the message then begins with ``Caught … in DataLoader
# worker process 0``, and the traceback of the worker stands below it.


class Broken(Images):
    def __getitem__(self, index):
        return np.zeros(2)[index + 2]


try:
    list(DataLoader(Broken(), num_workers=1, multiprocessing_context="fork"))
except IndexError as error:
    print(str(error).splitlines()[0], "|", str(error).strip().splitlines()[-1])
# => Caught IndexError in DataLoader worker process 0. | IndexError: index 2 is out of bounds for axis 0 with size 2

# %%
# On Windows and macOS a worker imports the script again. If the loop over the loader is not under
# ``if __name__ == "__main__":``, each worker comes to the loop too and ends with an error, and the main process
# shows this message: :doc:`/gallery/13_errors/main_guard`. For lists and arrays that fill the memory of the workers see
# :doc:`/gallery/11_data/lists_in_workers`.

# %%
# What does not help
# ------------------
#
# ``timeout`` or ``persistent_workers=True``: they do not change why the process ended.
