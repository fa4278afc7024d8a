"""
Resizing a tensor that was exported through DLPack
==================================================

Do not resize a tensor while an array from ``np.from_dlpack`` is in use: nothing stops ``resize_``,
and reading the array can crash. ``numpy()`` locks the storage, so ``resize_`` raises.
"""

# sphinx_gallery_tags = ["dlpack", "lifetime", "resize", "crash"]

import multiprocessing

import numpy as np
import torch

# %%
# ``numpy()`` locks the storage against resizing: :doc:`/gallery/05_lifetime/locked_storage`.
# :func:`numpy.from_dlpack` shares the same memory and locks nothing.

tensor = torch.zeros(4)
array = np.from_dlpack(tensor)
print(array.ctypes.data == tensor.data_ptr())
# => True

# %%
# So the tensor may grow. It moves to new memory, and the old is freed although the array still
# points to it. No call fails.

old = tensor.data_ptr()
tensor.resize_(1_000_000)
print(array.ctypes.data == old, tensor.data_ptr() == old)
# => True False

# %%
# The array is not read here. For four numbers, the freed memory is soon used for something else,
# and what the array shows is accidental. A large buffer is returned to the operating system, and
# reading it ends the process with a segmentation fault. So a forked child process does this: its
# exit code is minus the number of the signal that killed it.


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
# With ``numpy()`` in place of ``from_dlpack`` the program stops at the cause, with an exception.

tensor = torch.zeros(10_000_000)
array = tensor.numpy()
try:
    tensor.resize_(20_000_000)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# A tensor that has been exported must keep its size. Convert with ``numpy()`` on the CPU, and copy
# whenever the array is to outlive what happens to the tensor.

tensor = torch.ones(4)
array = np.from_dlpack(tensor).copy()
tensor.resize_(1_000_000)
print(array)
# => [1. 1. 1. 1.]

# %%
# Deleting the tensor, by contrast, is safe: the array holds a reference to the memory as it was.

tensor = torch.ones(3)
array = np.from_dlpack(tensor)
del tensor
print(array)
# => [1. 1. 1.]
