"""
ndarray.resize while a tensor uses the array
============================================

NumPy refuses to grow an array in place while a tensor uses it. ``resize(refcheck=False)`` frees the
memory under the tensor, and reading the tensor can crash: make a new array with ``np.concatenate``.
"""

# sphinx_gallery_tags = ["lifetime", "resize", "crash", "error"]

import multiprocessing

import numpy as np
import torch

# %%
# :meth:`numpy.ndarray.resize` changes the memory of the array itself. NumPy first looks for other
# references to the array, and a tensor on its memory counts as a reference.

array = np.arange(4.0)
tensor = torch.from_numpy(array)
try:
    array.resize(8)
except ValueError as error:
    print(str(error).splitlines()[-1].strip())
# => set refcheck=False to disable this check

# %%
# The message names a way to skip the check, but ``refcheck=False`` does not update the tensor: it
# keeps the old address and length. The documentation `allows refcheck=False
# <https://numpy.org/doc/stable/reference/generated/numpy.ndarray.resize.html>`__ if you have not
# shared the array's memory. The code below runs in a forked child process, whose exit code is the
# negated number of the signal that killed it.


def resize_then_read():
    array = np.ones(10_000_000)
    tensor = torch.from_numpy(array)
    array.resize(1, refcheck=False)
    print(array.shape, tensor.shape, flush=True)
    print(tensor[5_000_000], flush=True)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(resize_then_read)
# => (1,) torch.Size([10000000])
print(exit_code)
# => -11

# %%
# Resizing freed the memory beyond the first element, and the tensor still points to it. With a
# small array the same mistake may pass unnoticed: the tensor then reads or overwrites memory of
# other objects.
#
# :func:`numpy.resize` and :func:`numpy.concatenate` make a new array. The tensor keeps the old
# memory and its values.

longer = np.concatenate([array, np.zeros(2)])
print(longer.shape, tensor)
# => (6,) tensor([0., 1., 2., 3.], dtype=torch.float64)
print(np.shares_memory(longer, tensor.numpy()))
# => False

# %%
# An array from a tensor does not own its memory. Growing it raises for that reason, even with
# ``refcheck=False``.

borrowed = torch.ones(4).numpy()
try:
    borrowed.resize(8, refcheck=False)
except ValueError as error:
    print(error)
# => cannot resize this array: it does not own its data

# %%
# If you need a growing buffer, allocate it once at full length and share a slice of it.

capacity = np.zeros(100)
capacity[:3] = [1, 2, 3]
filled = torch.from_numpy(capacity)[:3]
print(filled)
# => tensor([1., 2., 3.], dtype=torch.float64)
