"""
RuntimeError: An attempt has been made to start a new process before …
======================================================================

A spawned worker imports your script again: put the loop over the ``DataLoader`` under
``if __name__ == "__main__":``, or set ``num_workers=0``.

.. fix::

   - worker.start()
   + if __name__ == "__main__":
   +     worker.start()
"""

# sphinx_gallery_tags = ["dataloader", "workers", "windows", "error"]

import pathlib
import subprocess
import sys
import tempfile

# %%
# The error
# ---------
#
# By default, Windows and macOS spawn processes: the worker is a new Python that imports the script, and
# so runs its lines again. Here a script starts a process in that way, as a ``DataLoader`` with
# ``num_workers=1`` does. Newer Pythons end the message with an address of their documentation, which is
# left out.

unguarded = """
import multiprocessing

worker = multiprocessing.get_context("spawn").Process(target=print, args=("in the worker",))
worker.start()
"""


def run(script):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "train.py")
        path.write_text(script)
        done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    return done.stdout + done.stderr


said = " ".join(run(unguarded).partition("RuntimeError:")[2].split())
try:
    raise RuntimeError(said.partition(" To fix this issue")[0])
except RuntimeError as error:
    print(str(error).partition(" This probably")[0])
# => An attempt has been made to start a new process before the current process has finished its bootstrapping phase.

# %%
# The message goes on with an idiom of Python, ``if __name__ == '__main__': freeze_support()``. Only
# the first line of that idiom is needed here; ``freeze_support`` is for programs packed into an
# ``.exe``.

# %%
# The fix
# -------
#
# Put what starts processes, so also the loop over the loader, under the guard. Definitions of classes and
# functions stay outside, because the worker needs them.

guarded = """
import multiprocessing

worker = multiprocessing.get_context("spawn").Process(target=print, args=("in the worker",))
if __name__ == "__main__":
    worker.start()
"""
print(run(guarded).strip())
# => in the worker

# %%
# With ``num_workers=0``, the default, there is no worker, and no guard is needed. Linux forks by default
# up to Python 3.13, and a forked worker does not import the script, so the same script may run
# there. Arguments of a spawned worker are pickled: :doc:`/gallery/13_errors/cannot_pickle`,
# :doc:`/gallery/11_data/spawned_processes`.

# %%
# What does not help
# ------------------
#
# In a notebook there is no script to guard. A spawned worker does not find the classes of a cell: put
# the dataset in a file and import it, or use ``num_workers=0``
# (:doc:`/gallery/13_errors/main_attribute`).
