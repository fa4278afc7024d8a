"""
Sending a tensor through a multiprocessing queue
================================================

Sending a tensor through a ``torch.multiprocessing`` queue moves it to shared memory, and an array
taken from it before can crash. Send ``tensor.clone()``, or call ``share_memory_()`` first.
"""

# sphinx_gallery_tags = ["multiprocessing", "lifetime", "sharing", "crash"]

from multiprocessing.reduction import ForkingPickler

import numpy as np
import torch
import torch.multiprocessing as mp

# %%
# A tensor that is sent through a queue is not pickled like other objects. It is `moved to shared
# memory <https://docs.pytorch.org/docs/stable/multiprocessing.html>`__, and the receiver gets a
# handle. The move happens to the tensor of the sender.

queue = mp.SimpleQueue()
tensor = torch.zeros(3)
queue.put(tensor)
print(tensor.is_shared())
# => True

# %%
# The receiver has the same memory. Here it is received in the same process, for brevity.

received = queue.get()
received[0] = 5
print(tensor)
# => tensor([5., 0., 0.])

# %%
# When the tensor was made from an array, ``put`` ends the sharing with it. Later writes to the
# array reach neither the sender's tensor nor the receiver's, with no sign of it.

source = np.zeros(3)
tensor = torch.from_numpy(source)
queue.put(tensor)
source[0] = 5
print(queue.get(), tensor)
# => tensor([0., 0., 0.], dtype=torch.float64) tensor([0., 0., 0.], dtype=torch.float64)

# %%
# An array that was taken from the tensor is worse off. Its memory is freed by the move, exactly as
# on :doc:`/gallery/05_lifetime/share_memory_moves`. A forked child process reads it and is killed:
# its exit code is minus the number of the signal.


def send_then_read():
    tensor = torch.zeros(10_000_000)
    array = tensor.numpy()
    mp.SimpleQueue().put(tensor)
    print("sent", flush=True)
    print(array.sum(), flush=True)


def run_in_child(function):
    child = mp.get_context("fork").Process(target=function)
    child.start()
    child.join()
    return child.exitcode


exit_code = run_in_child(send_then_read)
# => sent
print(exit_code)
# => -11

# %%
# The arguments of a process that is spawned go the same way, and it is enough to have imported
# torch: the reducers are registered with the standard library's ``multiprocessing``. The array is
# not read after that.

tensor = torch.zeros(3)
array = tensor.numpy()
ForkingPickler.dumps((tensor,))
print(array.ctypes.data == tensor.data_ptr(), tensor.is_shared())
# => False True

# %%
# Send a clone, and the tensor stays where it is. Or share the memory first and take the array from
# that: then nothing has to move.

tensor = torch.zeros(3)
array = tensor.numpy()
queue.put(tensor.clone())
print(tensor.is_shared(), np.shares_memory(array, queue.get().numpy()))
# => False False
shared = torch.zeros(3).share_memory_()
array = shared.numpy()
queue.put(shared)
print(np.shares_memory(array, shared.numpy()), torch.equal(queue.get(), shared))
# => True True

# %%
# An array is pickled: the receiver gets a copy, and the sender keeps what it has.

queue.put(array)
print(np.shares_memory(queue.get(), array))
# => False
del queue
