"""
Share an array with a spawned process
=====================================

To share an array with a spawned process, make it with ``numpy()`` from a ``share_memory_()`` tensor
and pass the tensor; an array argument is pickled, so the process changes only its copy.
"""

# sphinx_gallery_tags = ["multiprocessing", "sharing", "silent"]

import pathlib
import runpy
import tempfile

# %%
# A spawned process imports the script anew, so a script that starts one needs a main guard and a
# file. In this one the other process adds one to each argument. :func:`runpy.run_path` runs the
# file as ``python script.py`` does, and returns its variables.

script = """
import numpy as np
import torch
import torch.multiprocessing

def add_one(rank, *arguments):
    for argument in arguments:
        argument += 1

if __name__ == "__main__":
    tensor = torch.zeros(2)
    array = np.zeros(2)
    source = np.zeros(2)
    wrapped = torch.from_numpy(source)
    shared = torch.zeros(2).share_memory_()
    view = shared.numpy()
    sent_as_array = torch.zeros(2).share_memory_()
    arguments = (tensor, array, wrapped, shared, sent_as_array.numpy())
    torch.multiprocessing.spawn(add_one, args=arguments)
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "script.py")
    path.write_text(script)
    variables = runpy.run_path(str(path), run_name="__main__")

# %%
# A tensor is moved to shared memory when it becomes an argument, and the other process writes to
# that same memory.

print(variables["tensor"])
# => tensor([1., 1.])

# %%
# An array is pickled. The other process works on its own copy, and nothing comes back or complains.

print(variables["array"])
# => [0. 0.]

# %%
# The trap is between the two. A tensor from :func:`torch.from_numpy` goes to shared memory as well,
# which means away from its array: the result is in the tensor, and the array no longer shares
# memory with it.

print(variables["wrapped"], variables["source"])
# => tensor([1., 1.], dtype=torch.float64) [0. 0.]

# %%
# So share the memory first, and make the array from the tensor instead of the tensor from the
# array. ``view`` was made this way, and sees the result.

print(variables["view"])
# => [1. 1.]

# %%
# An array on shared memory is still an array to pickle. Pass the tensor, as `the notes on
# multiprocessing <https://docs.pytorch.org/docs/stable/notes/multiprocessing.html>`__ do, and call
# ``numpy()`` on the other side.

print(variables["sent_as_array"])
# => tensor([0., 0.])
