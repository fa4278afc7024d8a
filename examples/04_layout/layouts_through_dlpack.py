"""
Strided, reversed and Fortran arrays through DLPack
===================================================

``torch.from_dlpack`` shares strided and Fortran-ordered arrays but fails on a flipped array such as
``np.arange(3.0)[::-1]``, because of its negative stride (before PyTorch 2.14 the whole process
aborts), so copy it first.
"""

# sphinx_gallery_tags = ["layout", "dlpack", "negative strides", "crash"]

import multiprocessing
import os
import tempfile

import numpy as np
import torch

# %%
# Here :func:`torch.from_dlpack` keeps the strides of the array. It shares the memory of slices with
# a step and of Fortran-ordered arrays.

array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
print(torch.from_dlpack(array).stride())
# => (1, 2)
print(torch.from_dlpack(array[:, ::2]))
# => tensor([[0., 2.],
# =>         [3., 5.]], dtype=torch.float64)

# %%
# The negative stride of the flipped array below does not work. Torch computes the memory size from
# the stride, and the number overflows. Before 2.14 the C++ exception is not caught, so the whole
# process ends, without a traceback and without reaching ``except`` (`issue 188023
# <https://github.com/pytorch/pytorch/issues/188023>`__). The code below therefore tries it in a
# forked child process, whose standard error goes to a file.

log = tempfile.TemporaryFile()


def import_backwards():
    os.dup2(log.fileno(), 2)
    try:
        torch.from_dlpack(np.arange(3.0)[::-1])
    except BaseException:
        print("caught")
    print("still running")


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(import_backwards)
# => caught
# => still running
print(exit_code)
# => 0

# %%
# A negative exit code is `the number of a signal
# <https://docs.python.org/3/library/multiprocessing.html#multiprocessing.Process.exitcode>`__. On
# older releases it is that of ``abort``, and the standard error stream holds the reason.

log.seek(0)
print(b"c10::Error" in log.read())
# => False

# %%
# So DLPack does not help with the flipped array. Check the strides first, or call ``from_numpy``,
# which raises before 2.14 too.

flipped = np.arange(3.0)[::-1]
if min(flipped.strides) < 0:
    flipped = flipped.copy()
print(torch.from_dlpack(flipped))
# => tensor([2., 1., 0.], dtype=torch.float64)

# %%
# A repeated axis has a stride of zero, and the array is read-only. NumPy exports a read-only array
# to a library that supports the read-only flag of DLPack 1.0. Torch `reads that version
# <https://github.com/pytorch/pytorch/pull/145000>`__ since 2.9, but then ignores the flag, so you
# can write. An older torch, or NumPy before 2.1, raises.

repeated = np.broadcast_to(np.array([1.0]), 3)
try:
    tensor = torch.from_dlpack(repeated)
except BufferError as error:
    print(error)
else:
    tensor[0] = 7
    print(repeated.flags.writeable, repeated)
# => False [7. 7. 7.]
