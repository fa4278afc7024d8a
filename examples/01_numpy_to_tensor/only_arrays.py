"""
What torch.from_numpy accepts
=============================

``torch.from_numpy`` takes one ``numpy.ndarray``, by position, and no ``dtype`` or ``device``; use
``torch.as_tensor`` for lists and NumPy scalars, or to convert the dtype.
"""

# sphinx_gallery_tags = ["from_numpy", "error"]

import numpy as np
import torch

# %%
# :func:`torch.from_numpy` is a function of the module. A tensor has no such method, in contrast
# to :meth:`torch.Tensor.numpy`, which exists only there.

print(hasattr(torch, "from_numpy"), hasattr(torch.Tensor, "from_numpy"))
# => True False
array = np.array([1.0, 2.0])
try:
    torch.zeros(2).from_numpy(array)
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute 'from_numpy'

# %%
# It takes one argument, by position. The documentation calls it ``ndarray``, but it cannot be
# passed under that name.

print(torch.from_numpy(array))
# => tensor([1., 2.], dtype=torch.float64)
try:
    torch.from_numpy(ndarray=array)
except TypeError as error:
    print(error)
# => torch._VariableFunctionsClass.from_numpy() takes no keyword arguments

# %%
# There is no ``dtype`` and no ``device``, since either could force a copy and the function
# promises not to make one. Convert afterwards, or use :func:`torch.as_tensor`.

try:
    torch.from_numpy(array, dtype=torch.float32)
except TypeError as error:
    print(error)
# => torch._VariableFunctionsClass.from_numpy() takes no keyword arguments
print(torch.from_numpy(array).to(torch.float32))
# => tensor([1., 2.])
print(torch.as_tensor(array, dtype=torch.float32))
# => tensor([1., 2.])

# %%
# Only a :class:`numpy.ndarray` will do. A sequence is refused, and so is a number that was taken
# out of an array: indexing and reductions return NumPy scalars, not arrays.

try:
    torch.from_numpy(array.tolist())
except TypeError as error:
    print(error)
# => expected np.ndarray (got list)
try:
    torch.from_numpy(array.sum())
except TypeError as error:
    print(error)
# => expected np.ndarray (got numpy.float64)

# %%
# ``as_tensor`` takes all of these. The page on the error has more causes:
# :doc:`/gallery/13_errors/expected_ndarray`.

print(torch.as_tensor(array.tolist()), torch.as_tensor(array.sum()))
# => tensor([1., 2.]) tensor(3., dtype=torch.float64)

# %%
# Subclasses of the array class pass the check, but a tensor has no place for what they add. A
# masked array loses its mask, and the hidden value counts again.

masked = np.ma.masked_array([1.0, 99.0], mask=[False, True])
print(masked.sum(), torch.from_numpy(masked).sum().item())
# => 1.0 100.0
print(torch.from_numpy(masked.filled(0)))
# => tensor([1., 0.], dtype=torch.float64)
