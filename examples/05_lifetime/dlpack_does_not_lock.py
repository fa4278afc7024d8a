"""
Resizing a tensor that was exported through DLPack
==================================================

Do not resize a tensor while an array from ``np.from_dlpack`` is in use: the export does not stop
``resize_``, and reading the array can crash. ``numpy()`` locks the storage, so enlarging it raises.
"""

# sphinx_gallery_tags = ["dlpack", "lifetime", "resize", "crash"]

import multiprocessing

import numpy as np
import torch

# %%
# ``numpy()`` locks the storage against resizing: :doc:`/gallery/05_lifetime/locked_storage`.
# :func:`numpy.from_dlpack` shares the same memory but does not lock it.

tensor = torch.zeros(4)
array = np.from_dlpack(tensor)
print(array.ctypes.data == tensor.data_ptr())
# => True

# %%
# You can therefore enlarge the tensor. It moves to new memory, and the old memory is freed although
# the array still points to it. The calls do not raise.

old = tensor.data_ptr()
tensor.resize_(1_000_000)
print(array.ctypes.data == old, tensor.data_ptr() == old)
# => True False

# %%
# The array is not read here, because the freed memory may already hold something else. The memory
# of the large buffer below goes back to the operating system, and reading it ends the process with
# a segmentation fault. A forked child process shows this: its exit code is the negated number of
# the signal.


def resize_then_read():
    tensor = torch.zeros(10_000_000)
    array = np.from_dlpack(tensor)
    tensor.resize_(20_000_000)
    print("resized", flush=True)
    print(array.sum(), flush=True)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(resize_then_read)
# => resized
print(exit_code)
# => -11

# %%
# With ``numpy()`` instead of ``from_dlpack``, this ``resize_`` raises an exception.

tensor = torch.zeros(10_000_000)
array = tensor.numpy()
try:
    tensor.resize_(20_000_000)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# Do not resize a tensor that you exported through DLPack, and do not assign to its ``data``. On the
# CPU, convert with ``numpy()``. If the tensor may be resized later, copy the array.

tensor = torch.ones(4)
array = np.from_dlpack(tensor).copy()
tensor.resize_(1_000_000)
print(array)
# => [1. 1. 1. 1.]

# %%
# Deleting the name of the tensor is safe, because the array keeps the tensor alive.

tensor = torch.ones(3)
array = np.from_dlpack(tensor)
del tensor
print(array)
# => [1. 1. 1.]
