"""
Upload on a side stream: wait_stream
====================================

Call ``torch.cuda.current_stream().wait_stream(side)`` before you use a tensor that was uploaded on
a side stream. Otherwise the main stream may read the old values.
"""

# sphinx_gallery_tags = ["cuda", "streams", "non_blocking", "pinned", "silent"]

import torch

# %%
# GPU work is queued in streams. The work of one stream runs in order; two streams are not ordered
# unless you ask for it. A loader can therefore upload on its own stream while the model computes.
# The matrix products stand for a slow upload. One product is timed first, because GPUs differ in
# speed.

side = torch.cuda.Stream()

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
# This sum runs on the main stream alone, so its value is right.

print(torch.ones(1_000_000, device="cuda").sum().item())
# => 1000000.0


# %%
# ``wait_stream`` makes one stream wait for the work that another has been given so far. The first
# call makes the upload start after ``zeros``. The second is the one that ``wait`` adds. The CPU
# waits in neither case.


def upload(wait):
    """Sum, on the main stream, of ones that arrive through the side stream."""
    source = torch.ones(1_000_000, pin_memory=True)
    target = torch.zeros(1_000_000, device="cuda")
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        keep_busy()
        target.copy_(source, non_blocking=True)
    if wait:
        torch.cuda.current_stream().wait_stream(side)
    total = target.sum().item()
    torch.cuda.synchronize()
    return total


# %%
# Without the second call, the sum uses the old values. ``item`` waits for the stream of the sum,
# but not for the other stream.

print(upload(wait=False))
# => 0.0

# %%
# With it, the main stream waits until the values have arrived. The `notes on CUDA
# <https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-streams>`__ leave this order to you.
# Reading values on the CPU has the same problem: :doc:`/gallery/07_cuda/early_download`.

print(upload(wait=True))
# => 1000000.0

# %%
# A tensor created on the side stream needs the same wait, and ``record_stream`` before you delete
# it: :doc:`/gallery/07_cuda/record_stream`.

with torch.cuda.stream(side):
    created = torch.ones(1_000_000, device="cuda")
torch.cuda.current_stream().wait_stream(side)
print(created.sum().item())
# => 1000000.0
