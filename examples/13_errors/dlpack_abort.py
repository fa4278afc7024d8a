"""
RuntimeError: Storage size calculation overflowed … strides=[-1]
================================================================

``torch.from_dlpack`` fails to share this array, which runs backwards (``[::-1]``, ``np.flip``):
import a copy.

.. fix::

   - torch.from_dlpack(numpy.arange(3.0)[::-1])
   + torch.from_dlpack(backwards.copy())

Before torch 2.14 the call aborts the process, which kills the kernel of a notebook.
"""

# sphinx_gallery_tags = ["dlpack", "negative strides", "layout", "crash", "error"]

import multiprocessing
import os
import subprocess
import sys

import numpy as np
import torch

# %%
# The error
# ---------
#
# This array is reversed. From its negative stride :func:`torch.from_dlpack` computes a memory size
# that overflows. Before 2.14 the C++ exception ended the process, which shows as a dead kernel in a
# notebook (`issue 188023 <https://github.com/pytorch/pytorch/issues/188023>`__). The call therefore
# runs in a child process here.

code = "import numpy, torch; torch.from_dlpack(numpy.arange(3.0)[::-1])"
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
lines = child.stderr.splitlines()
print(lines[0])
# => Traceback (most recent call last):
print(next(line for line in lines if "Storage size" in line))
# => RuntimeError: Storage size calculation overflowed with sizes=[3] and strides=[-1]

# %%
# Return code 1 comes from the uncaught exception. A negative code is the number of the signal that
# killed the process.

print(child.returncode)
# => 1

# %%
# The fix
# -------
#
# Copy the array first. This is the array that the child process could not import.

backwards = np.arange(3.0)[::-1]
print(torch.from_dlpack(backwards.copy()))
# => tensor([2., 1., 0.], dtype=torch.float64)

# %%
# Or import first and reverse in torch.

print(torch.from_dlpack(np.arange(3.0)).flip(0))
# => tensor([2., 1., 0.], dtype=torch.float64)

# %%
# If you do not know the layout, call :func:`torch.from_numpy`. It shares memory as well, and before
# 2.14 too it raises an exception that you can catch (:doc:`/gallery/13_errors/negative_strides`).

try:
    torch.from_numpy(backwards)
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative

# %%
# What does not help
# ------------------
#
# ``except`` does not help if your code also runs on older releases: before 2.14 this forked child
# prints neither line. The child closes its standard error stream, to which the abort would be
# reported.


def import_array():
    os.close(2)
    try:
        torch.from_dlpack(backwards)
    except RuntimeError:
        print("caught")
    print("still running")


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(import_array)
# => caught
# => still running
print(exit_code)
# => 0

# %%
# Although the message mentions the storage size, the amount of memory does not matter: two elements
# overflow as well. Passing a capsule does not help either, because it has the same strides.


def import_capsule():
    os.close(2)
    try:
        torch.utils.dlpack.from_dlpack(np.arange(2.0)[::-1].__dlpack__())
    except RuntimeError as error:
        print(error)


exit_code = run_in_child(import_capsule)
# => Storage size calculation overflowed with sizes=[2] and strides=[-1]
print(exit_code)
# => 0

# %%
# NumPy itself can import the array, so testing with NumPy does not reveal the problem.

print(np.from_dlpack(backwards).strides)
# => (-8,)
