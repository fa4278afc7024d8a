"""
Why resize_() fails after numpy(): storage not resizable
========================================================

After ``numpy()`` or ``from_numpy``, a ``resize_`` beyond the tensor's storage raises
``Trying to resize storage that is not resizable``. Make a new tensor with ``torch.cat``, or convert
a clone.
"""

# sphinx_gallery_tags = ["lifetime", "storage", "resize", "error"]

import numpy as np
import torch

# %%
# To grow, a storage allocates new memory and frees the old memory, which an array may still use.
# ``numpy()`` therefore locks the storage against resizing. It does not prevent ``share_memory_``
# from moving the storage: :doc:`/gallery/05_lifetime/share_memory_moves`.

tensor = torch.zeros(4)
array = tensor.numpy()
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# The lock remains after the array is gone. Even if you delete the array, resizing the tensor
# raises.

tensor = torch.zeros(4)
array = tensor.numpy()
del array
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# Converting a view once is enough to lock the storage, and so is :func:`numpy.asarray`. Such a call
# may be hidden in a plotting library.

tensor = torch.zeros(4)
total = np.asarray(tensor[:2]).sum()
try:
    tensor.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# After ``from_numpy`` both raise, ``resize_`` of the tensor and ``resize`` of the array. Torch does
# not reallocate NumPy's memory, and NumPy finds a reference to the array.

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
# Shrinking needs no new memory and works. The array still shows the four elements.

tensor = torch.ones(4)
array = tensor.numpy()
tensor.resize_(2)
print(tensor, array)
# => tensor([1., 1.]) [1. 1. 1. 1.]

# %%
# For a larger shape make a new tensor. Or convert a clone, so that the original is not locked.

tensor = torch.ones(4)
larger = torch.cat([tensor, torch.zeros(4)])
array = tensor.clone().numpy()
print(larger, tensor.resize_(8).shape)
# => tensor([1., 1., 1., 1., 0., 0., 0., 0.]) torch.Size([8])

# %%
# :func:`torch.add` resizes its ``out`` tensor if the shape does not fit. This is deprecated unless
# ``out`` is empty, and it raises if a locked storage would have to grow:
# :doc:`/gallery/06_mixed_expressions/out_argument`. Pass an ``out`` tensor of the right shape.

out = torch.zeros(4)
array = out.numpy()
torch.add(torch.ones(4), 1, out=out)
print(array)
# => [2. 2. 2. 2.]

# %%
# Do not use the tensor after the error. ``resize_`` sets the new shape before it allocates the
# memory (`issue 170298 <https://github.com/pytorch/pytorch/issues/170298>`__), so the shape now
# exceeds the memory. A write beyond it damages other objects, and a read returns arbitrary values,
# so the code shows neither.

broken = torch.zeros(4)
array = broken.numpy()
try:
    broken.resize_(8)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable
print(broken.shape, array.shape)
# => torch.Size([8]) (4,)
