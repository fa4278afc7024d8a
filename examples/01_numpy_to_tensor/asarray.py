"""
torch.asarray and its copy argument
===================================

``torch.asarray`` can share memory; ``copy=True`` copies arrays, tensors and lists. ``copy=False``
raises an error instead of copying, but silently copies a 0-d array.
"""

# sphinx_gallery_tags = ["sharing", "copy", "as_tensor"]

import numpy as np
import torch

# %%
# :func:`torch.asarray` accepts arrays, tensors, lists and scalars, and you choose whether it
# copies. The default, ``copy=None``, shares the memory of this array unless the dtype or the device
# changes.

array = np.array([1.0, 2.0])
print(np.shares_memory(torch.asarray(array).numpy(), array))
# => True
print(np.shares_memory(torch.asarray(array, dtype=torch.float32).numpy(), array))
# => False

# %%
# ``copy=True`` copies an array, a tensor or a list. Use it for values that no other code may
# change.

owned = torch.asarray(array, copy=True)
owned[0] = 100
print(array)
# => [1. 2.]
print(torch.asarray([1.0, 2.0], copy=True))
# => tensor([1., 2.])

# %%
# ``copy=False`` shares the memory of this array, and raises an error if a conversion makes that
# impossible. Use it if a silent copy would lose writes, or double the memory of a large input.

shared = torch.asarray(array, copy=False)
shared[0] = 7
print(array)
# => [7. 2.]
try:
    torch.asarray(array, dtype=torch.float32, copy=False)
except ValueError as error:
    print(error)
# => can't alias tensor with dtype 'Double' into dtype 'Float'.

# %%
# A different device raises in the same way.

try:
    torch.asarray(array, device="meta", copy=False)
except ValueError as error:
    print(error)
# => can't alias tensor from device 'cpu' to 'meta'.

# %%
# A list has no memory that a tensor could use, and a NumPy scalar is immutable. The two errors have
# different classes, so catch both if the input may be either.

try:
    torch.asarray([1.0, 2.0], copy=False)
except ValueError as error:
    print(error)
# => can't alias arbitrary sequence into a tensor.
try:
    torch.asarray(array[0], copy=False)
except RuntimeError as error:
    print(str(error).strip())
# => can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray.

# %%
# A 0-d array does have memory, but since torch 2.0 ``copy=False`` with the same dtype copies it
# silently: `the source
# <https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/utils/tensor_new.cpp>`__ treats it as
# a scalar and clones it. :func:`torch.from_numpy` shares it.

element = np.array(5.0)
torch.asarray(element, copy=False).fill_(6)
print(element)
# => 5.0
torch.from_numpy(element).fill_(6)
print(element)
# => 6.0

# %%
# Two traps remain. Torch 2.13 shares the memory of a PyArrow array of numbers even with
# ``copy=True``, because it `converts such an array through DLPack
# <https://github.com/pytorch/pytorch/pull/197532>`__. :func:`torch.tensor` copies it.
#
# Objects that have a buffer but are not arrays, such as a :class:`memoryview`, are the other trap.
# Releases before 2.15 read their bytes as the default float dtype, so pass ``dtype``:
# :doc:`/gallery/01_numpy_to_tensor/buffers_without_dtype`.

print(torch.asarray(memoryview(array), dtype=torch.float64))
# => tensor([7., 2.], dtype=torch.float64)
