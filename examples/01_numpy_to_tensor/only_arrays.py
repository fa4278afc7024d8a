"""
What torch.from_numpy accepts
=============================

``torch.from_numpy`` accepts a single positional argument, a ``numpy.ndarray``, and no ``dtype`` or
``device``. Use ``torch.as_tensor`` for lists and NumPy scalars, or to convert the dtype.
"""

# sphinx_gallery_tags = ["from_numpy", "error"]

import numpy as np
import torch

# %%
# :func:`torch.from_numpy` is a function in ``torch``, not a method of tensors.
# :meth:`torch.Tensor.numpy` is the opposite: a method, and not a function in ``torch``.

print(hasattr(torch, "from_numpy"), hasattr(torch.Tensor, "from_numpy"))
# => True False
array = np.array([1.0, 2.0])
try:
    torch.zeros(2).from_numpy(array)
except AttributeError as error:
    print(error)
# => 'Tensor' object has no attribute 'from_numpy'

# %%
# It takes one positional argument. The documentation calls that argument ``ndarray``, but passing
# it by name raises.

print(torch.from_numpy(array))
# => tensor([1., 2.], dtype=torch.float64)
try:
    torch.from_numpy(ndarray=array)
except TypeError as error:
    print(error)
# => torch._VariableFunctionsClass.from_numpy() takes no keyword arguments

# %%
# There is no ``dtype`` and no ``device``, since either could require a copy, and the function does
# not copy. Convert the result, or use :func:`torch.as_tensor`.

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
# The argument is a :class:`numpy.ndarray`. A list raises an error, and so does the result of
# ``array.sum()``, which is a NumPy scalar and not an array.

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
# ``as_tensor`` accepts this list and this scalar. The page on the error has more causes:
# :doc:`/gallery/13_errors/expected_ndarray`.

print(torch.as_tensor(array.tolist()), torch.as_tensor(array.sum()))
# => tensor([1., 2.]) tensor(3., dtype=torch.float64)

# %%
# A masked array is accepted, as a subclass of ``numpy.ndarray``, but the tensor does not keep the
# mask. The hidden value therefore counts again.

masked = np.ma.masked_array([1.0, 99.0], mask=[False, True])
print(masked.sum(), torch.from_numpy(masked).sum().item())
# => 1.0 100.0
print(torch.from_numpy(masked.filled(0)))
# => tensor([1., 0.], dtype=torch.float64)
