"""
torch without NumPy: what still works
=====================================

Where ``from_numpy`` and ``numpy()`` raise "Numpy is not available", ``tolist``, ``frombuffer`` and
``default_collate`` of numbers still work, and DLPack if NumPy is installed.
"""

# sphinx_gallery_tags = ["installation", "silent"]

import subprocess
import sys

import torch

# %%
# torch runs without NumPy. A child process shows this: ``None`` in ``sys.modules`` makes imports of
# NumPy fail. Later the child imports NumPy after all. Each line of its output is one attempt.

code = """
import array
import sys

def attempt(function, *arguments):
    try:
        print(function(*arguments))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")

sys.modules["numpy"] = None
import torch
from torch.utils.data import default_collate

attempt(torch.arange(3).numpy)
attempt(torch.arange(3).tolist)
attempt(lambda: torch.frombuffer(array.array("f", [1.0, 2.0]), dtype=torch.float32))
attempt(default_collate, [0.5, 1.5])

del sys.modules["numpy"]
import numpy as np

values = np.array([1.0, 2.0])
attempt(torch.from_numpy, values)
attempt(torch.tensor, values)
attempt(torch.from_dlpack, values)
attempt(np.from_dlpack, torch.ones(2))
attempt(torch.asarray, values)
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
lines = child.stdout.splitlines()
for line in lines[:4]:
    print(line)
# => RuntimeError: Numpy is not available
# => [0, 1, 2]
# => tensor([1., 2.])
# => tensor([0.5000, 1.5000], dtype=torch.float64)

# %%
# Lists, buffers and ``default_collate`` of numbers work; ``from_numpy`` and ``numpy()`` raise. To
# find out early, call one of these two before you read the data.

print(type(torch.empty(0).numpy()))
# => <class 'numpy.ndarray'>

# %%
# In the other case NumPy is installed but not usable for torch, for example after an upgrade of
# only one of them. :doc:`/gallery/13_errors/numpy_not_available` has the message and the fix. The
# child process is in this state now, because torch looks for NumPy once.

print(lines[4])
# => RuntimeError: Numpy is not available

# %%
# DLPack does not use NumPy's C interface: it still works and shares memory, so it hides the
# problem. :func:`torch.tensor` still copies.

for line in lines[5:8]:
    print(line)
# => tensor([1., 2.], dtype=torch.float64)
# => tensor([1., 2.], dtype=torch.float64)
# => [1. 1.]

# %%
# Before torch 2.15, :func:`torch.asarray` is dangerous here. It reads the bytes of the array as
# ``float32``, so for ``float64`` the result has twice the length and wrong values, without an error.
# Since 2.15 it `asks the buffer for its format <https://github.com/pytorch/pytorch/pull/188784>`__.

print(lines[8])
# => tensor([1., 2.], dtype=torch.float64)

# %%
# Do not ignore the warning that NumPy could not be initialised. It appears on standard error when
# torch is imported, or soon after.

print("UserWarning: Failed to initialize NumPy" in child.stderr)
# => True
