"""
When is record_stream needed?
=============================

Call ``tensor.record_stream(stream)`` before you delete a tensor that another CUDA stream still
reads. Otherwise the memory may be reused, and that stream reads wrong values.
"""

# sphinx_gallery_tags = ["cuda", "streams", "lifetime", "silent"]

import torch

# %%
# A CUDA tensor belongs to the stream on which it was created. When its last reference is gone,
# that stream may reuse the memory at once, because its earlier work runs first anyway. The matrix
# products below delay another stream. One product is timed first, because GPUs differ in speed.

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
# The function makes a batch of ones on the side stream and sums it on the main stream. The waits
# are in place, and the sum is queued before the batch is deleted.

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
# The side stream reuses the batch's memory for its next tensor before the main stream computes the
# sum. The sum is therefore that of the wrong values.

print(sum_on_main(recorded=False))
# => 7000000.0

# %%
# :meth:`torch.Tensor.record_stream` informs the allocator about the second stream. The memory is
# then not reused until that stream has finished the work that was queued when the tensor was
# deleted, `as documented
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.record_stream.html>`__.

print(sum_on_main(recorded=True))
# => 1000000.0

# %%
# You can avoid it: allocate the tensor on the main stream and only fill it on the side stream, as
# in :doc:`/gallery/07_cuda/side_stream`. Its memory then goes back to the main stream, after the
# work that reads it there.

target = torch.zeros(1_000_000, device="cuda")
side.wait_stream(torch.cuda.current_stream())
with torch.cuda.stream(side):
    target.fill_(1)
torch.cuda.current_stream().wait_stream(side)
print(target.sum().item())
# => 1000000.0
