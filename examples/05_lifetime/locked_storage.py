"""
Why resize_() fails after numpy(): storage not resizable
========================================================

After ``numpy()`` or ``from_numpy`` a tensor cannot grow: ``resize_`` raises ``Trying to resize
storage that is not resizable``. Make a new tensor with ``torch.cat``, or convert a clone.
"""

# sphinx_gallery_tags = ["lifetime", "storage", "resize", "error"]

import numpy as np
import torch

# %%
# To grow, a storage allocates new memory and frees the old, which an array would go on using. So
# ``numpy()`` locks the storage against resizing. That is all it prevents: ``share_memory_`` still
# moves the storage, see :doc:`/gallery/05_lifetime/share_memory_moves`.

tensor = torch.zeros(4)
array = tensor.numpy()
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# The lock belongs to the storage and outlives the array. Deleting every array does not make the
# tensor resizable again.

tensor = torch.zeros(4)
array = tensor.numpy()
del array
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# One conversion of a view is enough, and a plotting library can hide it. :func:`numpy.asarray`
# locks as well.

tensor = torch.zeros(4)
total = np.asarray(tensor[:2]).sum()
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# The other direction is locked on both sides. The memory is NumPy's, so torch cannot reallocate it,
# and NumPy sees that somebody else refers to the array.

array = np.zeros(4)
tensor = torch.from_numpy(array)
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable
try:
    array.resize(8)
except ValueError as error:
    print(str(error).splitlines()[0])
# => cannot resize an array that references or is referenced

# %%
# Shrinking needs no new memory and is allowed. The array still shows all the elements.

tensor = torch.ones(4)
array = tensor.numpy()
tensor.resize_(2)
print(tensor, array)
# => tensor([1., 1.]) [1. 1. 1. 1.]

# %%
# What works instead is a new tensor for the larger shape, or a conversion of a copy, which leaves
# the storage of the original unlocked.

tensor = torch.ones(4)
larger = torch.cat([tensor, torch.zeros(4)])
array = tensor.clone().numpy()
print(larger, tensor.resize_(8).shape)
# => tensor([1., 1., 1., 1., 0., 0., 0., 0.]) torch.Size([8])

# %%
# A function with an ``out`` argument resizes it when the shape does not fit. That is deprecated,
# and fails where a locked storage would have to grow, as on
# :doc:`/gallery/06_mixed_expressions/out_argument`. Give ``out`` the right shape.

out = torch.zeros(4)
array = out.numpy()
torch.add(torch.ones(4), 1, out=out)
print(array)
# => [2. 2. 2. 2.]

# %%
# After the error, do not use the tensor. The new shape has been set before the memory was asked for
# (`issue 170298 <https://github.com/pytorch/pytorch/issues/170298>`__), so it now describes
# elements outside the memory. A write to them damages other objects, and what a read returns is
# accidental, so neither is shown.

broken = torch.zeros(4)
array = broken.numpy()
try:
    broken.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable
print(broken.shape, array.shape)
# => torch.Size([8]) (4,)
