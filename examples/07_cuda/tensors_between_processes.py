"""
CUDA tensors between processes
==============================

A CUDA tensor that is sent to another process stays in the sender's memory: start the process with
``spawn`` and keep the sender running while the tensor is used, or send ``tensor.cpu().numpy()``.
"""

# sphinx_gallery_tags = ["cuda", "multiprocessing", "lifetime", "sharing"]

import pathlib
import subprocess
import sys
import tempfile

import torch
import torch.multiprocessing as mp

# %%
# What is sent is a handle to memory on the GPU, so the sender sees what the receiver writes. The
# sender has to keep the tensor `as long as the receiver uses it
# <https://docs.pytorch.org/docs/stable/multiprocessing.html>`__: here ``done`` tells it when. A
# sender that ends too early is what ``Producer process has been terminated before all shared CUDA
# tensors released`` is about.
#
# ``spawn`` is needed because a forked process cannot use a CUDA that its parent has initialized. A
# spawned one imports the program again, so the code is a file of its own.

program = """
import torch
import torch.multiprocessing as mp

def fill(queue, done):
    received = queue.get()
    received.fill_(7)
    torch.cuda.synchronize()
    del received
    done.set()

if __name__ == "__main__":
    context = mp.get_context("spawn")
    queue, done = context.SimpleQueue(), context.Event()
    process = context.Process(target=fill, args=(queue, done))
    process.start()
    tensor = torch.zeros(2, device="cuda")
    queue.put(tensor)
    done.wait()
    print(tensor)
    process.join()
"""
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "program.py")
    path.write_text(program)
    child = subprocess.run([sys.executable, path], capture_output=True, text=True)
print(child.stdout, end="")
# => tensor([7., 7.], device='cuda:0')

# %%
# An array is pickled: the receiver owns it, needs no GPU to read it, and the sender may end. Workers
# of a data loader return arrays or CPU tensors for the same reason.

queue = mp.SimpleQueue()
queue.put(torch.ones(2, device="cuda").cpu().numpy())
print(queue.get())
# => [1. 1.]

# %%
# A CPU tensor goes through shared memory of the host, which `outlives the sender
# <https://docs.pytorch.org/docs/stable/multiprocessing.html>`__. What that does to an array on the
# same memory is on :doc:`/gallery/05_lifetime/queues_move_tensors`.

queue.put(torch.ones(2, device="cuda").cpu())
print(queue.get())
# => tensor([1., 1.])
del queue
