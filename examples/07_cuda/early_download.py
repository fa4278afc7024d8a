"""
non_blocking copy to CPU: NumPy reads old values
================================================

After ``to("cpu", non_blocking=True)`` wait with ``torch.cuda.synchronize()`` or an event before you
call ``numpy()``. If you read the array earlier, it may silently hold old values.
"""

# sphinx_gallery_tags = ["cuda", "non_blocking", "pinned", "copy"]

import torch

# %%
# A copy from the GPU waits for the work that was queued before it. These matrix products stand for
# that work and delay the copy below. One product is timed first, because GPUs differ in speed.

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
# With ``non_blocking=True`` the call returns before the values have arrived. NumPy does not wait
# for CUDA: it reads what the CPU memory holds at that moment.


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
# If you do not wait, NumPy reads the old content of the buffer, without an error.

print(download(wait=False))
# => 0

# %%
# Record an event after the copy and wait for the event: GPU work that you queue later may still
# run. :func:`torch.cuda.synchronize` waits for that too.

print(download(wait=True))
# => 1000000

# %%
# ``to("cpu", non_blocking=True)`` allocates pinned memory itself. If you read it too early, it
# holds arbitrary old values, which may even look right (`issue 86264
# <https://github.com/pytorch/pytorch/issues/86264>`__). Wait first.

source = torch.arange(4.0, device="cuda")
target = source.to("cpu", non_blocking=True)
torch.cuda.synchronize()
print(target.numpy())
# => [0. 1. 2. 3.]

# %%
# A plain ``cpu()`` waits by itself. Use ``non_blocking`` only if the CPU has other work to do
# meanwhile.

print(source.cpu().numpy())
# => [0. 1. 2. 3.]
