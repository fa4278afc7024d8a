"""
asarray and its copy argument
=============================

Decide in one argument whether a conversion may share, must copy, or should rather fail.
"""

# sphinx_gallery_tags = ["sharing", "copy", "asarray"]

import numpy as np
import torch

# %%
# :func:`torch.asarray` is the one conversion that lets the caller choose. Its default,
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
# ``copy=False`` promises shared memory and raises where it cannot be given. Use it where a silent
# copy would lose writes, or double the memory of a large input.

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
# Lists and NumPy scalars have no memory that a tensor could use. The two errors differ in type,
# so catch both where the input may be either.

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
# An array of no dimensions does have memory, so indexing with ``...`` instead of a number keeps
# the promise.

element = torch.asarray(array[0, ...], copy=False)
element.fill_(5)
print(array)
# => [7. 2.]

# %%
# The default has one trap. For an object that offers its bytes but is no array, ``asarray`` needs
# a ``dtype``: :doc:`/gallery/01_numpy_to_tensor/frombuffer`.

view = memoryview(array)
print(torch.asarray(view, dtype=torch.float64))
# => tensor([7., 2.], dtype=torch.float64)
