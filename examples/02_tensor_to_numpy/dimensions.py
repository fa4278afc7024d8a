"""
Tensors with more than 64 dimensions or named dimensions
========================================================

NumPy 2 arrays have at most 64 dimensions and tensors can have more, so merge dimensions with
``flatten`` before ``numpy()``. Named dimensions were removed in torch 2.13: keep the names beside
the tensor.
"""

# sphinx_gallery_tags = ["shape", "dlpack", "error"]

import numpy as np
import torch

# %%
# NumPy limits the number of dimensions to 64; version 2 `raised the limit
# <https://numpy.org/doc/stable/release/2.0.0-notes.html>`__. A tensor can have more dimensions, and
# then ``numpy()``, ``asarray`` and ``from_dlpack`` raise.

deep = torch.zeros([1] * 65)
for convert in [torch.Tensor.numpy, np.asarray]:
    try:
        convert(deep)
    except ValueError as error:
        print(error)
# => number of dimensions must be within [0, 64]
# => number of dimensions must be within [0, 64]
try:
    np.from_dlpack(deep)
except (BufferError, RuntimeError) as error:
    print(error)
# => maxdims of DLPack tensor is higher than the supported maxdims.

# %%
# Merge dimensions before the conversion; if the tensor is contiguous, ``flatten`` shares its
# memory.

print(deep.flatten(1).numpy().shape, deep.flatten(1).data_ptr() == deep.data_ptr())
# => (1, 1) True

# %%
# With 64 dimensions, both directions work.

deep = deep[0]
print(deep.numpy().ndim, torch.from_numpy(np.zeros([1] * 64)).dim())
# => 64 64

# %%
# Named dimensions were an experiment, `removed in torch 2.13
# <https://github.com/pytorch/pytorch/pull/173895>`__. In earlier releases the conversion worked but
# dropped the names, which an array does not have.

try:
    print(torch.zeros(2, 3, names=("batch", "channel")).numpy().shape)
except TypeError as error:
    print(error)
# => zeros() got an unexpected keyword argument 'names'

# %%
# Keep the names beside the tensor: they then serve the array too, on old releases and on new ones.

axes = {"batch": 0, "channel": 1}
images = torch.arange(6.0).reshape(2, 3)
print(images.mean(dim=axes["channel"]), images.numpy().mean(axis=axes["channel"]))
# => tensor([1., 4.]) [1. 4.]
