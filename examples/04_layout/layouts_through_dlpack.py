"""
Strided, reversed and Fortran arrays through DLPack
===================================================

``torch.from_dlpack`` shares strided and Fortran-ordered arrays but fails on negative strides
(before PyTorch 2.14 the whole process aborts), so copy a flipped array first.
"""

# sphinx_gallery_tags = ["layout", "dlpack", "negative strides", "crash"]

import multiprocessing
import os
import tempfile

import numpy as np
import torch

# %%
# :func:`torch.from_dlpack` takes the strides as the array states them. Slices with a step and
# Fortran order arrive as they are, and share memory.

array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
print(torch.from_dlpack(array).stride())
# => (1, 2)
print(torch.from_dlpack(array[:, ::2]))
# => tensor([[0., 2.],
# =>         [3., 5.]], dtype=torch.float64)

# %%
# A negative stride does not arrive. torch computes the size of the memory from it, and the number
# overflows. Before 2.14 nothing catches the C++ exception: the whole process ends, without a
# traceback that ``except`` could see (`issue 188023
# <https://github.com/pytorch/pytorch/issues/188023>`__). So a forked child process tries it, and
# its standard error stream goes to a file.

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
# <https://docs.python.org/3/library/multiprocessing.html#multiprocessing.Process.exitcode>`__, that
# of ``abort`` on the older releases. Their standard error stream holds the reason.

log.seek(0)
print(b"c10::Error" in log.read())
# => False

# %%
# So DLPack is no way round the error of ``from_numpy``. Look at the strides first, or call
# ``from_numpy``, which raises in every release.

flipped = np.arange(3.0)[::-1]
if min(flipped.strides) < 0:
    flipped = flipped.copy()
print(torch.from_dlpack(flipped))
# => tensor([2., 1., 0.], dtype=torch.float64)

# %%
# A repeated axis has a stride of zero, and the array is read-only. NumPy exports such an array only
# to a consumer that understands the flag, which DLPack has since its version 1.0. torch `reads that
# version <https://github.com/pytorch/pytorch/pull/145000>`__ since 2.9, then drops the flag. With
# an older torch, or NumPy before 2.1, the export is refused.

repeated = np.broadcast_to(np.array([1.0]), 3)
try:
    tensor = torch.from_dlpack(repeated)
except BufferError as error:
    print(error)
else:
    tensor[0] = 7
    print(repeated.flags.writeable, repeated)
# => False [7. 7. 7.]
