"""
Share an array with a spawned process
=====================================

To share an array with a spawned process, make it with ``numpy()`` from a ``share_memory_()`` tensor
and pass the tensor; an array of numbers is pickled, so the process changes a copy.
"""

# sphinx_gallery_tags = ["multiprocessing", "sharing", "silent"]

import pathlib
import runpy
import tempfile

# %%
# A spawned process imports the script again, so the script is a file here, with a main guard. In
# this script the other process adds one to each argument. :func:`runpy.run_path` runs the file as
# ``python script.py`` does, and returns its variables.

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
# The tensor that is passed as an argument is moved to shared memory. The other process writes to
# the same memory.

print(variables["tensor"])
# => tensor([1., 1.])

# %%
# An array is pickled. The other process changes its own copy, without a warning.

print(variables["array"])
# => [0. 0.]

# %%
# A tensor from :func:`torch.from_numpy` is moved to shared memory as well, so it no longer shares
# memory with its array. The tensor shows the result, and the array does not.

print(variables["wrapped"], variables["source"])
# => tensor([1., 1.], dtype=torch.float64) [0. 0.]

# %%
# To get the result in an array, put the tensor into shared memory first and make the array from it
# with ``numpy()``. ``view`` was made this way and shows the result. An array that you made from the
# tensor before refers to freed memory: :doc:`/gallery/05_lifetime/share_memory_moves`.

print(variables["view"])
# => [1. 1.]

# %%
# Even an array on shared memory is pickled. Pass the tensor, as `the notes on multiprocessing
# <https://docs.pytorch.org/docs/stable/notes/multiprocessing.html>`__ do, and call ``numpy()`` in
# the other process.

print(variables["sent_as_array"])
# => tensor([0., 0.])
