"""
non_blocking copy to the GPU: when may NumPy write again?
=========================================================

After ``to("cuda", non_blocking=True)`` from pinned memory, call ``torch.cuda.synchronize()`` before
NumPy writes to the source again: until then the GPU may copy the new values.
"""

# sphinx_gallery_tags = ["cuda", "non_blocking", "pinned", "copy", "correction"]

import torch

# %%
# "NumPy cannot influence a CUDA tensor" holds once the values have arrived.
# With work in its queue the GPU takes a while to get to a copy. These products
# stand for a real program, and make certain what is otherwise a race.


def keep_busy():
    """Queue work that keeps the GPU busy for a while."""
    matrix = torch.ones(4096, 4096, device="cuda")
    for _ in range(50):
        torch.mm(matrix, matrix)


# %%
# From pinned memory, ``non_blocking=True`` only queues the copy: the GPU reads
# the source when its turn comes, and finds what is there by then.


def upload(wait):
    """What arrives on the GPU when NumPy edits the source after the copy was queued."""
    source = torch.ones(1_000_000, pin_memory=True)
    target = torch.zeros(1_000_000, device="cuda")
    keep_busy()
    target.copy_(source, non_blocking=True)
    if wait:
        torch.cuda.synchronize()
    source.numpy()[:] = 7
    return target.unique()


# %%
# The edit comes after the copy in the program and before it in time. The GPU
# receives what NumPy wrote, and not one of the original values.

print(upload(wait=False))
# => tensor([7.], device='cuda:0')

# %%
# :func:`torch.cuda.synchronize` returns when all queued work is done, and the
# source is free from then on. Programs that fill one pinned buffer again and
# again need this; the other direction is :doc:`/gallery/07_cuda/early_download`.

print(upload(wait=True))
# => tensor([1.], device='cuda:0')

# %%
# Nothing warns: keeping the source unchanged is `the caller's duty
# <https://github.com/pytorch/pytorch/issues/127612>`__. A PyTorch `tutorial
# <https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html>`__ has
# the background. Without ``non_blocking`` the call itself waits.

source = torch.ones(3, pin_memory=True)
target = source.to("cuda")
source.numpy()[:] = 7
print(target)
# => tensor([1., 1., 1.], device='cuda:0')
