"""
ValueError: At least one stride in the given numpy array is negative
====================================================================

The array is a reversed view (``[::-1]``, ``np.flip``, ``np.rot90``), and tensors do not support
negative strides: copy the array first.

.. fix::

   - torch.from_numpy(backwards)
   + tensor = torch.from_numpy(backwards.copy())
"""

# sphinx_gallery_tags = ["layout", "from_numpy", "error"]

import multiprocessing
import os

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``[::-1]`` makes a view here that runs backwards through memory, with a negative stride;
# :func:`numpy.flip` and ``np.rot90`` make such views too. A tensor has no negative strides, so
# ``from_numpy`` raises instead of sharing that memory.

backwards = np.arange(3.0)[::-1]
print(backwards.strides)
# => (-8,)
try:
    torch.from_numpy(backwards)
except ValueError as error:
    print(error)
# => At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().)

# %%
# The fix
# -------
#
# :meth:`numpy.ndarray.copy` writes the values to new memory, in reversed order.

tensor = torch.from_numpy(backwards.copy())
print(tensor)
# => tensor([2., 1., 0.], dtype=torch.float64)

# %%
# Or convert the array first and reverse the tensor with :func:`torch.flip`, which copies.

print(torch.from_numpy(np.arange(3.0)).flip(0))
# => tensor([2., 1., 0.], dtype=torch.float64)

# %%
# What does not help
# ------------------
#
# Torch checks the strides before it copies, so ``copy=True`` raises as well.

try:
    torch.asarray(backwards, copy=True)
except ValueError as error:
    print(error)
# => At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().)

# %%
# :func:`numpy.ascontiguousarray` does not copy the array below, whose reversed axis has length 1. It
# counts as contiguous, so you get it back unchanged, with its negative stride (`NumPy issue 23349
# <https://github.com/numpy/numpy/issues/23349>`__).

single = np.ones((1, 3))[::-1]
contiguous = np.ascontiguousarray(single)
print(contiguous is single, contiguous.strides)
# => True (-24, 8)
try:
    torch.from_numpy(contiguous)
except ValueError as error:
    print(error)
# => At least one stride in the given numpy array is negative, and tensors with negative strides are not currently supported. (You can probably work around this by making a copy of your array  with array.copy().)
print(torch.from_numpy(single.copy()))
# => tensor([[1., 1., 1.]], dtype=torch.float64)

# %%
# :func:`torch.from_dlpack` raises as well, and releases before 2.14 abort the process
# (`issue 188023 <https://github.com/pytorch/pytorch/issues/188023>`__). The call therefore runs in
# a forked child, which closes its standard error stream. A negative exit code is the number of the
# signal that killed the child; see :doc:`/gallery/13_errors/dlpack_abort`.


def import_backwards():
    os.close(2)
    try:
        torch.from_dlpack(backwards)
    except RuntimeError as error:
        print(error)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(import_backwards)
# => Storage size calculation overflowed with sizes=[3] and strides=[-1]
print(exit_code)
# => 0
