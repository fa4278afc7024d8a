"""
RuntimeError: Can't pin tensor constructed from numpy
=====================================================

``torch.tensor`` does not pin a NumPy array: convert it first, then call ``pin_memory()`` on the
tensor.

.. fix::

   - torch.tensor(array, pin_memory=True)
   + tensor = torch.from_numpy(array)

``tensor.pin_memory()`` then makes the pinned copy. It needs a GPU, so it is shown in
:doc:`/gallery/07_cuda/pinned_memory`.
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
# Pinned memory is for transfers to a GPU in the background. :func:`torch.tensor` refuses to copy an
# array to it, with or without a GPU.

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
# Convert the array, then pin the tensor: ``torch.from_numpy(array).pin_memory()`` copies once, to
# pinned memory. This needs a GPU, so it is shown in :doc:`/gallery/07_cuda/pinned_memory`. Before
# that call the tensor is not pinned.

tensor = torch.from_numpy(array)
print(tensor.is_pinned())
# => False

# %%
# For batches let the loader pin, which it does `in a separate thread
# <https://docs.pytorch.org/docs/stable/data.html#memory-pinning>`__. Without a GPU this line runs
# too, but does not pin, and warns; the filter hides that warning here.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    (batch,) = DataLoader(array, batch_size=3, pin_memory=True)
print(batch)
# => tensor([1., 2., 3.], dtype=torch.float64)

# %%
# What does not help
# ------------------
#
# ``as_tensor`` and ``asarray`` have no ``pin_memory`` argument.

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
# If you also pass a dtype, :func:`torch.tensor` still raises.

try:
    torch.tensor(array, dtype=torch.float32, pin_memory=True)
except RuntimeError as error:
    print(error)
# => Can't pin tensor constructed from numpy

# %%
# Works, but slowly
# -----------------
#
# A list works, but each number becomes a Python object, and the ``float64`` of this array is lost.
# The line here does not pin, because that needs a GPU.

print(torch.tensor(array.tolist()).dtype, tensor.dtype)
# => torch.float32 torch.float64
