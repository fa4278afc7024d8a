"""
share_memory_() after numpy(): the array can crash
==================================================

Call ``share_memory_()`` before you make an array from a tensor. It moves the tensor to new memory,
so reading an array made before can crash the process.
"""

# sphinx_gallery_tags = ["multiprocessing", "lifetime", "sharing", "crash"]

import multiprocessing

import numpy as np
import torch

# %%
# :meth:`torch.Tensor.share_memory_` makes a tensor accessible to other processes. The tensor's
# values are copied to shared memory, and the storage moves there.

tensor = torch.zeros(3)
before = tensor.data_ptr()
tensor.share_memory_()
print(tensor.is_shared(), tensor.data_ptr() == before)
# => True False

# %%
# If you call ``share_memory_`` first, it does no harm. The array uses the shared memory, and this
# second call does not move it.

array = tensor.numpy()
tensor.share_memory_()
array[0] = 5
print(tensor)
# => tensor([5., 0., 0.])

# %%
# If the tensor was made from an array, the two silently stop sharing. The array owns its memory, so
# its values stay intact.

source = np.zeros(3)
tensor = torch.from_numpy(source)
tensor.share_memory_()
source[0] = 5
print(tensor, source)
# => tensor([0., 0., 0.], dtype=torch.float64) [5. 0. 0.]

# %%
# The danger is an array that you made from the tensor before. ``share_memory_`` moves the storage
# and frees the old memory, and the array still points to that memory (`issue 51849
# <https://github.com/pytorch/pytorch/issues/51849>`__). A forked child process shows that the
# addresses differ, then reads the array and is killed: its exit code is the negated number of the
# signal.


def move_then_read():
    tensor = torch.zeros(10_000_000)
    array = tensor.numpy()
    tensor.share_memory_()
    print(array.ctypes.data == tensor.data_ptr(), flush=True)
    print(array.sum(), flush=True)


def run_in_child(function):
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(move_then_read)
# => False
print(exit_code)
# => -11

# %%
# The array's ``base`` is a tensor on the same storage, so it moved too. It keeps the new memory
# alive, but the array points to the old memory: here ``base`` does not protect the array. The array
# is not read here.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.share_memory_()
print(array.ctypes.data == tensor.data_ptr())
# => False
print(array.base.data_ptr() == tensor.data_ptr())
# => True

# %%
# With a small array, reading may return arbitrary values instead of crashing.
# ``model.share_memory()`` moves the parameters in the same way: make arrays afterwards, or copy.

model = torch.nn.Linear(2, 1)
snapshot = model.weight.detach().numpy().copy()
model.share_memory()
array = model.weight.detach().numpy()
print(np.array_equal(snapshot, array), np.shares_memory(snapshot, array))
# => True False
