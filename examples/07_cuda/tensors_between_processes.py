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
# The queue sends a handle to memory on the GPU, so the sender's tensor changes when the receiver
# writes. Keep the tensor in the sender `as long as the receiver uses it
# <https://docs.pytorch.org/docs/stable/multiprocessing.html>`__; here the sender waits for
# ``done``. If the sender ends too early, you get
# ``Producer process has been terminated before all shared CUDA tensors released``.
#
# Use ``spawn``: a forked process raises if its parent has initialised CUDA
# (:doc:`/gallery/13_errors/forked_cuda`). A spawned process imports the program again, so the code
# below is in its own file.

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
# An array is pickled: the receiver gets its own copy and needs no GPU, and the sender may end.
# Return arrays or CPU tensors from data-loader workers too.

queue = mp.SimpleQueue()
queue.put(torch.ones(2, device="cuda").cpu().numpy())
print(queue.get())
# => [1. 1.]

# %%
# A CPU tensor is sent through `shared memory
# <https://docs.pytorch.org/docs/stable/multiprocessing.html>`__. On Linux keep the sender alive
# until ``get`` has returned in the receiver: otherwise ``get`` can raise ``FileNotFoundError``. If
# an array shares the tensor's memory, see :doc:`/gallery/05_lifetime/queues_move_tensors`.

queue.put(torch.ones(2, device="cuda").cpu())
print(queue.get())
# => tensor([1., 1.])
del queue
