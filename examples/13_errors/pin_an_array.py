"""
RuntimeError: Can't pin tensor constructed from numpy
=====================================================

``torch.tensor`` does not pin data that comes from NumPy: convert first, then call ``pin_memory()``
on the tensor.

.. fix::

   - torch.tensor(array, pin_memory=True)
   + tensor = torch.from_numpy(array)

``tensor.pin_memory()`` then makes the pinned copy. It needs a GPU, so
:doc:`/gallery/07_cuda/pinned_memory` runs it.
"""

# sphinx_gallery_tags = ["pinned", "dataloader", "from_numpy", "error"]

import warnings

import numpy as np
import torch
from torch.utils.data import DataLoader

# %%
# The error
# ---------
#
# Pinned memory is allocated by torch, for transfers to a GPU in the background.
# :func:`torch.tensor` gets the data of an array in NumPy's memory, and does not copy it into memory
# of another kind. It raises with or without a GPU, and also for a tensor in place of the array.

array = np.array([1.0, 2.0, 3.0])
try:
    torch.tensor(array, pin_memory=True)
except RuntimeError as error:
    print(error)
# => Can't pin tensor constructed from numpy

# %%
# The fix
# -------
#
# Convert first, then pin: ``torch.from_numpy(array).pin_memory()`` copies once, to pinned memory.
# It needs a GPU, so :doc:`/gallery/07_cuda/pinned_memory` runs it. Before that the tensor is an
# ordinary one.

tensor = torch.from_numpy(array)
print(tensor.is_pinned())
# => False

# %%
# For batches let the loader pin, which it does `in a thread of its own
# <https://docs.pytorch.org/docs/stable/data.html#memory-pinning>`__. The same line runs without a
# GPU, where it pins nothing and warns; the filter hides that warning here.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    (batch,) = DataLoader(array, batch_size=3, pin_memory=True)
print(batch)
# => tensor([1., 2., 3.], dtype=torch.float64)

# %%
# What does not help
# ------------------
#
# The functions that share memory have no such argument, because they allocate none.

try:
    torch.as_tensor(array, pin_memory=True)
except TypeError as error:
    print(error)
# => as_tensor() got an unexpected keyword argument 'pin_memory'
try:
    torch.asarray(array, pin_memory=True)
except TypeError as error:
    print(error)
# => asarray() got an unexpected keyword argument 'pin_memory'

# %%
# With a dtype the constructor casts, but does not pin either.

try:
    torch.tensor(array, dtype=torch.float32, pin_memory=True)
except RuntimeError as error:
    print(error)
# => Can't pin tensor constructed from numpy

# %%
# Works, but slowly
# -----------------
#
# A list passes the check, but each number becomes a Python object, and the dtype of the array is
# lost. The line is shown without pinning, which needs a GPU.

print(torch.tensor(array.tolist()).dtype, tensor.dtype)
# => torch.float32 torch.float64
