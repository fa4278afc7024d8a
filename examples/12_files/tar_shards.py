"""
NumPy arrays in webdataset tar shards, and back to tensors
==========================================================

Write each array as the bytes of a ``.npy`` member; ``decode()`` of webdataset reads it as an array, and
``torch.from_numpy`` makes a tensor. The bytes are ``np.save`` into an ``io.BytesIO``.
"""

# sphinx_gallery_tags = ["tar", "shards", "streaming", "npy", "bytes", "files", "collate"]

import io
import tarfile

import numpy as np
import torch

# %%
# A shard is a tar file. Files whose names agree up to the first dot are one sample. ``TarWriter`` of webdataset
# does the same from ``{"__key__": "0001", "features.npy": array}``.


def to_bytes(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


shard = io.BytesIO()
with tarfile.open(fileobj=shard, mode="w") as tar:
    for number in range(2):
        data = to_bytes(np.full((2, 3), number, dtype=np.float32))
        member = tarfile.TarInfo(f"{number:04}.features.npy")
        member.size = len(data)
        tar.addfile(member, io.BytesIO(data))

# %%
# ``tensor.numpy().tobytes()`` under the name ``.npy`` would lack shape and dtype, and ``np.load`` refuses it.

try:
    np.load(io.BytesIO(torch.ones(2, 3).numpy().tobytes()))
except ValueError as error:
    print(type(error).__name__)
# => ValueError

# %%
# Reading: ``np.load`` from the bytes of the member. ``from_numpy`` shares the new array, and the tensor is
# writable.

shard.seek(0)
samples = []
with tarfile.open(fileobj=shard) as tar:
    for member in tar:
        array = np.load(io.BytesIO(tar.extractfile(member).read()))
        samples.append(torch.from_numpy(array))
print(len(samples), samples[1].shape, samples[1].dtype)
# => 2 torch.Size([2, 3]) torch.float32

# %%
# A decoder of your own that returns a tuple per member gives lists in a batch. Return one array per member, or
# stack in the collate function.

print(torch.stack(samples).shape)
# => torch.Size([2, 2, 3])

# %%
# Shuffle before ``decode()``: the buffer then holds encoded bytes, which need less memory where images are
# compressed.
