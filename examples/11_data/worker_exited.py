"""
DataLoader worker (pid …) exited unexpectedly: find the cause
=============================================================

The worker's process ended before it could send an exception: set ``num_workers=0`` to see the error or
the crash in the main process. In a script, guard the start with ``if __name__ == "__main__":``.
"""

# sphinx_gallery_tags = ["loader", "workers", "process", "error", "notebook"]

import re
import subprocess
import sys

from torch.utils.data import DataLoader, Dataset

# %%
# An exception in ``__getitem__`` reaches the main process with its traceback. The message names the
# worker and the exception.


class Broken(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        raise KeyError("label")


try:
    list(DataLoader(Broken(), num_workers=1))
except KeyError as error:
    print(str(error).split(".")[0].strip("'\""))
# => Caught KeyError in DataLoader worker process 0

# %%
# A worker that ends without an exception sends no message. That happens if the system kills it for
# its memory, if C code crashes, or if code calls ``exit``. The script is a process of its own, because the number
# of the worker differs with each run.

script = """
import os
from torch.utils.data import DataLoader

class Ending:
    def __len__(self):
        return 4
    def __getitem__(self, index):
        os._exit(1)

list(DataLoader(Ending(), num_workers=1))
"""
child = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
print(re.sub(r"\d+", "…", child.stderr.strip().splitlines()[-1]))
# => RuntimeError: DataLoader worker (pid(s) …) exited unexpectedly

# %%
# With ``num_workers=0`` the same code runs in the main process, where you see its error or which line
# crashes. Then look at the terminal, not at the notebook: what a process writes there before it ends is not shown
# in a cell.

try:
    list(DataLoader(Broken(), num_workers=0))
except KeyError as error:
    print(error)
# => 'label'

# %%
# Under ``spawn``, the default on Windows and macOS, a worker imports the main script, and an import that starts
# workers again ends it. Guard the start: ``if __name__ == "__main__":``. A class from a notebook cell is
# in no module that a spawned worker can import: put the dataset into a ``.py`` file. See
# :doc:`/gallery/11_data/spawned_processes`.

print(Broken.__module__)
# => __main__
