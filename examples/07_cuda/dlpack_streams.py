"""
DLPack and CUDA streams: is a synchronise needed?
=================================================

You need not synchronise if you pass the array itself to ``torch.from_dlpack``: your current stream
then waits for the current stream of the exporting library. With a bare capsule from
``__dlpack__(stream=-1)`` it does not wait.
"""

# sphinx_gallery_tags = ["cuda", "dlpack", "streams", "silent"]

import torch

# %%
# A library that imports GPU memory may use a different stream from the one that still fills it.
# DLPack therefore lets the importing library pass its stream to the exporting one. Here torch plays
# both parts, on two streams, and the matrix products delay the exporting stream. On a single
# stream, as in the sum below, the work is in order. One product is timed first, because GPUs differ
# in speed.

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


print(torch.ones(1_000_000, device="cuda").sum().item())
# => 1000000.0


# %%
# The function writes ones on the side stream and exports the tensor, then sums it on the main
# stream. In `the protocol
# <https://data-apis.org/array-api/latest/API_specification/generated/array_api.array.__dlpack__.html>`__
# stream 1 is CUDA's main stream, and -1 means no ordering.


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
# With -1 the sum is computed too early and uses the old values.

print(import_and_sum(stream=-1))
# => 0.0

# %%
# With stream 1, the export makes the main stream wait for the side stream.

print(import_and_sum(stream=1))
# => 1000000.0

# %%
# If you pass the array itself, :func:`torch.from_dlpack` passes its current stream to the export,
# so you need not do this yourself. The import of a bare capsule does not order the streams, which
# is another reason not to pass one on: :doc:`/gallery/09_protocols/capsules`.


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
