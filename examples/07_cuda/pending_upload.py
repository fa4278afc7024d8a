"""
non_blocking copy to the GPU: when may NumPy write again?
=========================================================

After ``to("cuda", non_blocking=True)`` from pinned memory, call ``torch.cuda.synchronize()`` before
NumPy writes to the source again: until then the GPU may copy the new values.
"""

# sphinx_gallery_tags = ["cuda", "non_blocking", "pinned", "copy", "correction"]

import torch

# %%
# A NumPy write does not change a CUDA tensor once the copy is done. But if other work is queued on
# the same stream, the copy starts later. The matrix products below keep the GPU busy, so the copy
# starts late. One product is timed first, because GPUs differ in speed.

matrix = torch.ones(4096, 4096, device="cuda")
torch.mm(matrix, matrix)
begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
begin.record()
torch.mm(matrix, matrix)
end.record()
end.synchronize()
products = 1 + int(200 / begin.elapsed_time(end))


def keep_busy():
    """Queue work for about 200 milliseconds on the current stream."""
    for _ in range(products):
        torch.mm(matrix, matrix)


# %%
# From pinned memory, ``non_blocking=True`` only queues the copy. The GPU reads the source later,
# and copies the values that are there at that time.


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
# The write comes after the copy in the code, but the GPU reads the memory after the write. It
# receives the new values, not the original ones.

print(upload(wait=False))
# => tensor([7.], device='cuda:0')

# %%
# :func:`torch.cuda.synchronize` returns when the queued work is done; after that you may change the
# source. You need this if you fill one pinned buffer repeatedly. It waits for other work of the GPU
# too; an event that is recorded after the copy waits for that stream up to the copy, as
# :doc:`/gallery/07_cuda/early_download` shows for the other direction.

print(upload(wait=True))
# => tensor([1.], device='cuda:0')

# %%
# torch does not warn: `do not change the source
# <https://github.com/pytorch/pytorch/issues/127612>`__ until the copy is done. A PyTorch `tutorial
# <https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html>`__ explains the background.
# Without ``non_blocking`` the call itself waits.

source = torch.ones(3, pin_memory=True)
target = source.to("cuda")
source.numpy()[:] = 7
print(target)
# => tensor([1., 1., 1.], device='cuda:0')
