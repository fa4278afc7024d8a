"""
When is record_stream needed?
=============================

Call ``tensor.record_stream(stream)`` before you drop a tensor that another CUDA stream still reads:
without it the memory is reused, and that stream reads wrong values.
"""

# sphinx_gallery_tags = ["cuda", "streams", "lifetime", "silent"]

import torch

# %%
# A CUDA tensor belongs to the stream on which it was created. When its last name goes, the memory
# is free for that stream at once: work queued there earlier comes first anyway. The products below
# keep another stream from getting on.

side = torch.cuda.Stream()


def keep_busy():
    """Queue work that keeps the current stream busy for a while."""
    matrix = torch.ones(4096, 4096, device="cuda")
    for _ in range(50):
        torch.mm(matrix, matrix)


# %%
# Here a batch of ones is made on the side stream and summed on the main one. All waits are in
# place, and the sum is queued before the batch is dropped.

print(torch.ones(1_000_000, device="cuda").sum().item())
# => 1000000.0


def sum_on_main(recorded):
    """Sum of a batch of ones whose memory the side stream has asked for again."""
    with torch.cuda.stream(side):
        batch = torch.ones(1_000_000, device="cuda")
    torch.cuda.current_stream().wait_stream(side)
    keep_busy()
    total = batch.sum()
    if recorded:
        batch.record_stream(torch.cuda.current_stream())
    del batch
    with torch.cuda.stream(side):
        torch.full((1_000_000,), 7.0, device="cuda")
    return total.item()


# %%
# The memory of the batch is handed out for the next tensor of the side stream before the main
# stream has come to the sum, which then adds up the wrong batch.

print(sum_on_main(recorded=False))
# => 7000000.0

# %%
# :meth:`torch.Tensor.record_stream` tells the allocator of the second user. It keeps the memory
# back until that stream has done what was queued when the tensor went away, `as documented
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.record_stream.html>`__.

print(sum_on_main(recorded=True))
# => 1000000.0

# %%
# Often it can be avoided. Memory from the main stream that the side stream only fills, as in
# :doc:`/gallery/07_cuda/side_stream`, is returned to the main one, in order with the work that
# reads it there.

target = torch.zeros(1_000_000, device="cuda")
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    target.fill_(1)
torch.cuda.current_stream().wait_stream(side)
print(target.sum().item())
# => 1000000.0
