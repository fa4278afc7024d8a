"""
share_memory_() after numpy(): the array can crash
==================================================

Call ``share_memory_()`` before you take an array from a tensor: it moves the tensor to new memory,
and reading an array that was taken before can crash the process.
"""

# sphinx_gallery_tags = ["multiprocessing", "lifetime", "sharing", "crash"]

import multiprocessing

import numpy as np
import torch

# %%
# :meth:`torch.Tensor.share_memory_` makes a tensor visible to other processes. Ordinary memory
# cannot become shared memory, so the values are copied to a new place, and the storage moves there.

tensor = torch.zeros(3)
before = tensor.data_ptr()
tensor.share_memory_()
print(tensor.is_shared(), tensor.data_ptr() == before)
# => True False

# %%
# Called first, it does no harm. The array is taken from the shared memory, and a second call has
# nothing left to move.

array = tensor.numpy()
tensor.share_memory_()
array[0] = 5
print(tensor)
# => tensor([5., 0., 0.])

# %%
# For a tensor on the memory of an array, the sharing with that array ends without a word. The array
# owns its memory, so nothing is lost but the connection.

source = np.zeros(3)
tensor = torch.from_numpy(source)
tensor.share_memory_()
source[0] = 5
print(tensor, source)
# => tensor([0., 0., 0.], dtype=torch.float64) [5. 0. 0.]

# %%
# The dangerous case is an array that was taken from the tensor before. It relies on the storage
# for its life, and the storage has moved away and freed what it had (`issue 51849
# <https://github.com/pytorch/pytorch/issues/51849>`__). A forked child process shows that the two
# have parted, then reads the array and is killed: its exit code is minus the number of the signal.


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
# The tensor in the ``base`` of the array has followed the storage. It keeps the new memory alive,
# and the array points to the old: a base is no guarantee. The array is not read here.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.share_memory_()
print(array.ctypes.data == tensor.data_ptr())
# => False
print(array.base.data_ptr() == tensor.data_ptr())
# => True

# %%
# A small buffer stays in the process, so reading it does not crash and shows whatever was put there
# since. The same happens to every parameter of
# ``model.share_memory()``: take arrays afterwards, or copy.

model = torch.nn.Linear(2, 1)
snapshot = model.weight.detach().numpy().copy()
model.share_memory()
array = model.weight.detach().numpy()
print(np.array_equal(snapshot, array), np.shares_memory(snapshot, array))
# => True False
