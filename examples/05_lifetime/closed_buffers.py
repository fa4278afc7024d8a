"""
SharedMemory closed while a tensor uses it: segfault
====================================================

Reading a tensor from ``torch.frombuffer`` or ``np.ndarray(buffer=...)`` can crash after its
``bytearray`` or ``SharedMemory`` was resized or closed. With ``np.frombuffer``, resizing and
closing raise an error instead.
"""

# sphinx_gallery_tags = ["buffer", "lifetime", "multiprocessing", "crash"]

import contextlib
import io
import multiprocessing
from multiprocessing.shared_memory import SharedMemory

import numpy as np
import torch

# %%
# A ``bytearray`` counts its users, and resizing it raises while one is left. The array from
# :func:`numpy.frombuffer` counts as a user, so a tensor made from it is protected too.

buffer = bytearray(4)
tensor = torch.from_numpy(np.frombuffer(buffer, dtype=np.uint8))
try:
    buffer.extend(b"more")
except BufferError as error:
    print(error)
# => Existing exports of data: object cannot be re-sized

# %%
# :func:`torch.frombuffer` reads the address and `releases the buffer at once
# <https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_new.cpp>`__. The
# ``bytearray`` stays alive, but can move to new memory, here because it grows. The code does not
# read the tensor after that.

buffer = bytearray(4)
tensor = torch.frombuffer(buffer, dtype=torch.uint8)
buffer.extend(b"more")
print(len(buffer), len(tensor))
# => 8 4

# %%
# The old memory of the large buffer below goes back to the operating system, so reading it is
# fatal. A forked child process tries it and ends with a segmentation fault: its exit code is the
# negated number of the signal.


def clear_then_read():
    buffer = bytearray(100_000_000)
    tensor = torch.frombuffer(buffer, dtype=torch.uint8)
    buffer.clear()
    print("cleared", flush=True)
    print(tensor[50_000_000], flush=True)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(clear_then_read)
# => cleared
print(exit_code)
# => -11

# %%
# The same happens with :class:`multiprocessing.shared_memory.SharedMemory` if you pass its buffer
# to the constructor of :class:`numpy.ndarray`. That array does not count as a user either (`NumPy
# issue 23305 <https://github.com/numpy/numpy/issues/23305>`__).


def load(array_on):
    block = SharedMemory(create=True, size=800)
    array = array_on(block.buf)
    block.unlink()
    return torch.from_numpy(array)


def load_then_read():
    tensor = load(lambda buffer: np.ndarray(100, dtype=np.float64, buffer=buffer))
    print("loaded", flush=True)
    print(tensor.sum(), flush=True)


exit_code = run_in_child(load_then_read)
# => loaded
print(exit_code)
# => -11

# %%
# This code does not call ``close``: the block closes itself when the function returns and its last
# reference is gone. With :func:`numpy.frombuffer` the memory stays: closing fails, and the error is
# printed to standard error.

with contextlib.redirect_stderr(io.StringIO()) as stderr:
    tensor = load(lambda buffer: np.frombuffer(buffer, dtype=np.float64, count=100))
print(tensor.sum())
# => tensor(0., dtype=torch.float64)
print("BufferError" in stderr.getvalue())
# => True

# %%
# Keep the block in an object that lives as long as the tensors and close it after them, or copy the
# values. :meth:`torch.Tensor.share_memory_` avoids the problem: its memory is freed with the last
# tensor.

tensor = torch.zeros(100, dtype=torch.float64).share_memory_()
print(tensor.is_shared(), tensor.numpy().sum())
# => True 0.0
