"""
Upload on a side stream: wait_stream
====================================

Call ``torch.cuda.current_stream().wait_stream(side)`` before you use what was uploaded on a side
stream: without it the main stream reads the old values.
"""

# sphinx_gallery_tags = ["cuda", "streams", "non_blocking", "pinned", "silent"]

import torch

# %%
# Work for a GPU waits in streams. Within one it runs in order; between two nothing is ordered
# unless somebody asks. So a loader can upload on a stream of its own while the model computes. The
# products stand for a slow upload.

side = torch.cuda.Stream()


def keep_busy():
    """Queue work that keeps the current stream busy for a while."""
    matrix = torch.ones(4096, 4096, device="cuda")
    for _ in range(50):
        torch.mm(matrix, matrix)


# %%
# The sum is computed on the main stream. Asked for at once, its value is right.

print(torch.ones(1_000_000, device="cuda").sum().item())
# => 1000000.0


# %%
# ``wait_stream`` makes one stream wait for what the other has been given so far. The first one lets
# the upload start after ``zeros``; the second is the one that programs forget. The CPU waits for
# neither.


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
# Without it the sum is of the old content. ``item`` waits for the stream that computes the sum, and
# knows nothing of the other.

print(upload(wait=False))
# => 0.0

# %%
# With it the main stream stands still until the values have arrived. The `notes on CUDA
# <https://docs.pytorch.org/docs/stable/notes/cuda.html#cuda-streams>`__ leave this order to the
# caller. Reading on the host has the same gap: :doc:`/gallery/07_cuda/early_download`.

print(upload(wait=True))
# => 1000000.0

# %%
# A tensor that is created on the side stream needs the same wait, and one thing more when it is
# dropped: :doc:`/gallery/07_cuda/record_stream`.

with torch.cuda.stream(side):
    created = torch.ones(1_000_000, device="cuda")
torch.cuda.current_stream().wait_stream(side)
print(created.sum().item())
# => 1000000.0
