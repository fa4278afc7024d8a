"""
DLPack and CUDA streams: is a synchronise needed?
=================================================

No synchronisation is needed when you pass the array itself to ``torch.from_dlpack``: it makes your
current stream wait for the producer's. A bare capsule from ``__dlpack__`` with ``stream=-1`` does
not.
"""

# sphinx_gallery_tags = ["cuda", "dlpack", "streams", "silent"]

import torch

# %%
# A library that imports GPU memory may run on another stream than the one that still fills it.
# DLPack therefore lets the consumer hand its stream to the producer. Here both are torch, with two
# streams, and the products delay the producer. On one stream, as in the sum below, all is in order.

side = torch.cuda.Stream()


def keep_busy():
    """Queue work that keeps the current stream busy for a while."""
    matrix = torch.ones(4096, 4096, device="cuda")
    for _ in range(50):
        torch.mm(matrix, matrix)


print(torch.ones(1_000_000, device="cuda").sum().item())
# => 1000000.0


# %%
# The producer writes ones on the side stream and exports. The consumer sums on the main stream, for
# which `the protocol
# <https://data-apis.org/array-api/latest/API_specification/generated/array_api.array.__dlpack__.html>`__
# has the number 1 on CUDA; -1 asks for no order at all.


def import_and_sum(stream):
    """Sum, on the main stream, of ones exported from the side stream."""
    values = torch.zeros(1_000_000, device="cuda")
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        keep_busy()
        values.fill_(1)
        capsule = values.__dlpack__(stream=stream)
    total = torch.from_dlpack(capsule).sum().item()
    torch.cuda.synchronize()
    return total


# %%
# Without the order the consumer is too early, and reads what was there before.

print(import_and_sum(stream=-1))
# => 0.0

# %%
# With it the producer makes the main stream wait for its own. Only the GPU waits: the call returns
# at once.

print(import_and_sum(stream=1))
# => 1000000.0

# %%
# :func:`torch.from_dlpack` passes its current stream along when it is given the array itself, so
# nothing has to be done. A bare capsule carries no order, which is one more reason not to pass it
# on: :doc:`/gallery/09_protocols/capsules`.


class Recorder:
    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream=None, **options):
        self.stream = stream
        return self.tensor.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


recorder = Recorder(torch.ones(2, device="cuda"))
torch.from_dlpack(recorder)
print(recorder.stream)
# => 1
with torch.cuda.stream(side):
    torch.from_dlpack(recorder)
print(recorder.stream == side.cuda_stream)
# => True
