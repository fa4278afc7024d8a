"""
Sending a tensor through a multiprocessing queue
================================================

Sending a tensor through a ``torch.multiprocessing`` queue moves it to shared memory, and reading an
array made from it before can crash. Send ``tensor.clone()``, or call ``share_memory_()`` first.
"""

# sphinx_gallery_tags = ["multiprocessing", "lifetime", "sharing", "crash"]

from multiprocessing.reduction import ForkingPickler

import numpy as np
import torch
import torch.multiprocessing as mp

# %%
# A ``torch.multiprocessing`` queue does not pickle a tensor like other objects. It `moves the
# tensor to shared memory <https://docs.pytorch.org/docs/stable/multiprocessing.html>`__ and sends a
# handle. This changes the sender's own tensor.

queue = mp.SimpleQueue()
tensor = torch.zeros(3)
queue.put(tensor)
print(tensor.is_shared())
# => True

# %%
# The receiver has the same memory. For brevity, the code receives the tensor in the same process.

received = queue.get()
received[0] = 5
print(tensor)
# => tensor([5., 0., 0.])

# %%
# If the tensor was made from an array, ``put`` ends the sharing with that array, without a warning.
# Later writes to the array reach neither the sender's nor the receiver's tensor.

source = np.zeros(3)
tensor = torch.from_numpy(source)
queue.put(tensor)
source[0] = 5
print(queue.get(), tensor)
# => tensor([0., 0., 0.], dtype=torch.float64) tensor([0., 0., 0.], dtype=torch.float64)

# %%
# An array that you made from the tensor before is in danger: the move frees its memory, as in
# :doc:`/gallery/05_lifetime/share_memory_moves`. A forked child process reads such an array and is
# killed: its exit code is the negated number of the signal.


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
# Passing a tensor as an argument to a spawned process does the same. The standard library's
# ``multiprocessing`` is affected too once torch is imported, because torch registers its own
# pickling functions there. The code does not read the array after that.

tensor = torch.zeros(3)
array = tensor.numpy()
ForkingPickler.dumps((tensor,))
print(array.ctypes.data == tensor.data_ptr(), tensor.is_shared())
# => False True

# %%
# Send a clone, so that the tensor does not move. Or call ``share_memory_()`` first and make the
# array from that tensor: here ``put`` does not move it.

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
# An array is pickled: the receiver gets a copy, and the sender's array does not change.

queue.put(array)
print(np.shares_memory(queue.get(), array))
# => False
del queue
