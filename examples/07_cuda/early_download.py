"""
non_blocking copy to CPU: NumPy reads old values
================================================

After ``to("cpu", non_blocking=True)`` wait with ``torch.cuda.synchronize()`` or an event before you
call ``numpy()``: read earlier, the array holds old values, and no error says so.
"""

# sphinx_gallery_tags = ["cuda", "non_blocking", "pinned", "copy"]

import torch

# %%
# A copy from the GPU takes its turn behind the work queued before it. These
# products stand for that work, so that the copy below cannot be done at once.


def keep_busy():
    """Queue work that keeps the GPU busy for a while."""
    matrix = torch.ones(4096, 4096, device="cuda")
    for _ in range(50):
        torch.mm(matrix, matrix)


# %%
# In this direction the danger is on the reading side. The call returns while
# the values are on their way, and NumPy knows nothing of CUDA: it reads what
# the host memory holds.


def download(wait):
    """How many of a million values have arrived when NumPy looks."""
    source = torch.ones(1_000_000, device="cuda")
    target = torch.zeros(1_000_000, pin_memory=True)
    arrived = torch.cuda.Event()
    keep_busy()
    target.copy_(source, non_blocking=True)
    arrived.record()
    if wait:
        arrived.synchronize()
    return (target.numpy() == 1).sum()


# %%
# Without a wait NumPy finds the old content of the buffer, and no error says so.

print(download(wait=False))
# => 0

# %%
# An event recorded behind the copy tells when it is done, and waiting for it
# leaves later GPU work running. :func:`torch.cuda.synchronize` waits for all.

print(download(wait=True))
# => 1000000

# %%
# ``to("cpu", non_blocking=True)`` allocates the pinned memory itself. Read too
# early, it holds whatever was there before, which may even look right
# (`issue 86264 <https://github.com/pytorch/pytorch/issues/86264>`__). So wait:

source = torch.arange(4.0, device="cuda")
target = source.to("cpu", non_blocking=True)
torch.cuda.synchronize()
print(target.numpy())
# => [0. 1. 2. 3.]

# %%
# A plain ``cpu()`` waits by itself. Use ``non_blocking`` only where the CPU
# has other work to do meanwhile.

print(source.cpu().numpy())
# => [0. 1. 2. 3.]
