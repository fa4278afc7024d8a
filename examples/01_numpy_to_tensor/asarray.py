"""
torch.asarray and its copy argument
===================================

``torch.asarray`` shares memory where it can; ``copy=True`` always copies, and ``copy=False`` raises
an error instead of copying, except for zero-dimensional arrays.
"""

# sphinx_gallery_tags = ["sharing", "copy", "as_tensor"]

import numpy as np
import torch

# %%
# :func:`torch.asarray` takes input of any kind and lets the caller choose. Its default,
# ``copy=None``, shares when it can.

array = np.array([1.0, 2.0])
print(np.shares_memory(torch.asarray(array).numpy(), array))
# => True
print(np.shares_memory(torch.asarray(array, dtype=torch.float32).numpy(), array))
# => False

# %%
# ``copy=True`` never shares. It accepts an array, a tensor and a list alike, which makes it the
# shortest way to values that nobody else can change.

owned = torch.asarray(array, copy=True)
owned[0] = 100
print(array)
# => [1. 2.]
print(torch.asarray([1.0, 2.0], copy=True))
# => tensor([1., 2.])

# %%
# ``copy=False`` promises shared memory, and raises where a conversion prevents it. Use it where a
# silent copy would lose writes, or double the memory of a large input.

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
# The device counts as the dtype does.

try:
    torch.asarray(array, device="meta", copy=False)
except ValueError as error:
    print(error)
# => can't alias tensor from device 'cpu' to 'meta'.

# %%
# A list has no memory that a tensor could use, and the memory of a NumPy scalar must not change.
# The two errors differ in type, so catch both where the input may be either.

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
# An array of no dimensions does have memory, but since torch 2.0 the promise is broken for it
# without an error: `the source
# <https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/utils/tensor_new.cpp>`__
# counts it among the scalars and clones it. :func:`torch.from_numpy` shares it.

element = np.array(5.0)
torch.asarray(element, copy=False).fill_(6)
print(element)
# => 5.0
torch.from_numpy(element).fill_(6)
print(element)
# => 6.0

# %%
# The last trap is an object that offers its bytes but is no array, such as a :class:`memoryview`.
# Releases before 2.15 read those bytes as the default float dtype, so name the ``dtype``:
# :doc:`/gallery/01_numpy_to_tensor/buffers_without_dtype`.

print(torch.asarray(memoryview(array), dtype=torch.float64))
# => tensor([7., 2.], dtype=torch.float64)
