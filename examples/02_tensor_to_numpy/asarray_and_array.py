"""
np.asarray(tensor) or np.array(tensor): copy or share?
======================================================

``np.asarray(tensor)`` shares memory with the tensor; ``np.array(tensor)`` copies it, and warns
since NumPy 2.1. ``tensor.numpy()`` shares and ``tensor.numpy().copy()`` copies without a warning,
before and since NumPy 2.
"""

# sphinx_gallery_tags = ["sharing", "copy", "as_tensor", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.asarray` calls the tensor's ``__array__``, which calls :meth:`torch.Tensor.numpy`.
# This array shares the tensor's memory and keeps the dtype.

tensor = torch.tensor([0.5, 1.5, 2.5])
shared = np.asarray(tensor)
shared[0] = 7
print(tensor)
# => tensor([7.0000, 1.5000, 2.5000])

# %%
# A different dtype needs a copy, so an innocent-looking argument ends the sharing.

print(np.shares_memory(np.asarray(tensor, dtype=np.float32), tensor.numpy()))
# => True
print(np.shares_memory(np.asarray(tensor, dtype=np.float64), tensor.numpy()))
# => False

# %%
# :func:`numpy.array` copies by default. Since NumPy 2.1 it passes a ``copy`` keyword to
# ``__array__``, which torch does not accept yet (`pytorch issue 136264
# <https://github.com/pytorch/pytorch/issues/136264>`__). Despite the warning, the result is right.

copied = np.array(tensor)
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword
copied[1] = 8
print(np.shares_memory(copied, shared))
# => False

# %%
# In NumPy 2, ``copy=None`` shares memory where ``asarray`` does.

print(np.shares_memory(np.array(tensor, copy=None), shared))
# => True

# %%
# In NumPy 2, ``copy=False`` shares memory or raises. Here it raises although sharing is possible,
# because torch's ``__array__`` has no ``copy`` keyword. Call ``numpy()`` first and pass the array.
# More in :doc:`/gallery/13_errors/copy_keyword`.

try:
    np.array(tensor, copy=False)
except ValueError as error:
    print(str(error).splitlines()[0])
# => Unable to avoid copy while creating an array as requested.
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword
print(np.shares_memory(np.array(tensor.numpy(), copy=False), shared))
# => True

# %%
# A tensor that requires gradients raises, as it does with ``numpy()``. See
# :doc:`/gallery/02_tensor_to_numpy/requires_grad`.

try:
    np.asarray(torch.ones(2, requires_grad=True))
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# To avoid the warning, call ``tensor.numpy()`` to share memory and ``tensor.numpy().copy()`` to
# copy. Both do the same before and since NumPy 2.

owned = tensor.numpy().copy()
print(np.shares_memory(owned, shared))
# => False
