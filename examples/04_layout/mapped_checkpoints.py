"""
torch.load(mmap=True): may I change the arrays?
===============================================

You can change arrays from ``torch.load(path, mmap=True)``: the mapping is private by default, so
the checkpoint keeps its values unless you choose ``mmap.MAP_SHARED``.
"""

# sphinx_gallery_tags = ["memmap", "files", "torch.load"]

import mmap
import tempfile

import torch

# %%
# :func:`torch.load` with ``mmap=True`` maps the file instead of reading it. Its tensors convert to
# arrays as usual, without a copy, and the arrays are writable.

folder = tempfile.TemporaryDirectory()
path = f"{folder.name}/checkpoint.pt"
torch.save({"weight": torch.arange(4.0)}, path)
weight = torch.load(path, mmap=True, weights_only=True)["weight"]
array = weight.numpy()
print(array.flags.writeable)
# => True

# %%
# A write reaches the tensor that shares the memory. The mapping is private by default, so neither
# the file nor another load of it changes.

array[0] = 50
print(weight)
# => tensor([50.,  1.,  2.,  3.])
print(torch.load(path, weights_only=True)["weight"])
# => tensor([0., 1., 2., 3.])
print(torch.load(path, mmap=True, weights_only=True)["weight"])
# => tensor([0., 1., 2., 3.])

# %%
# The array keeps the mapping open. You can use it after the tensor is gone, and pages that were not
# read yet are still read from the disk. Do not overwrite the file in place meanwhile: write a new
# one and rename it.

del weight
print(array)
# => [50.  1.  2.  3.]

# %%
# A copy does not depend on the file.

snapshot = array.copy()
print(snapshot.base is None)
# => True

# %%
# Since `pull request 134371 <https://github.com/pytorch/pytorch/pull/134371>`__ you can choose a
# shared mapping in a ``with`` block, though `not on Windows
# <https://docs.pytorch.org/docs/stable/notes/serialization.html>`__. A write through the array then
# changes the checkpoint on disk.

with torch.serialization.set_default_mmap_options(mmap.MAP_SHARED):
    shared = torch.load(path, mmap=True, weights_only=True)["weight"]
    shared.numpy()[0] = 50
print(torch.load(path, weights_only=True)["weight"])
# => tensor([50.,  1.,  2.,  3.])
folder.cleanup()
