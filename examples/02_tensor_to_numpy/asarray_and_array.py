"""
np.asarray(tensor) or np.array(tensor): copy or share?
======================================================

``np.asarray(tensor)`` shares memory with the tensor; ``np.array(tensor)`` copies it, and warns
since NumPy 2.1. ``tensor.numpy()`` shares and ``tensor.numpy().copy()`` copies without a warning on
every release.
"""

# sphinx_gallery_tags = ["sharing", "copy", "as_tensor", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.asarray` calls the tensor's ``__array__``, which calls :meth:`torch.Tensor.numpy`.
# No copy is made, and the dtype stays.

tensor = torch.tensor([0.5, 1.5, 2.5])
shared = np.asarray(tensor)
shared[0] = 7
print(tensor)
# => tensor([7.0000, 1.5000, 2.5000])

# %%
# A dtype that differs needs a copy, so the sharing depends on an argument that looks harmless.

print(np.shares_memory(np.asarray(tensor, dtype=np.float32), tensor.numpy()))
# => True
print(np.shares_memory(np.asarray(tensor, dtype=np.float64), tensor.numpy()))
# => False

# %%
# :func:`numpy.array` copies by default. Since NumPy 2.1 it passes a ``copy`` keyword on to
# ``__array__``, which torch does not accept yet (`pytorch issue 136264
# <https://github.com/pytorch/pytorch/issues/136264>`__). The result is right in spite of the
# warning.

copied = np.array(tensor)
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword
copied[1] = 8
print(np.shares_memory(copied, shared))
# => False

# %%
# In NumPy 2 ``copy=None`` means "only if needed", which is what ``asarray`` does in every release.

if_needed = np.array(tensor, copy=None)
print(np.shares_memory(if_needed, shared))
# => True

# %%
# ``copy=False`` promises an error rather than a copy. Here it raises although sharing is
# possible, since NumPy cannot ask a method without the keyword. The array from ``numpy()``
# fulfils the promise. More in :doc:`/gallery/13_errors/copy_keyword`.

try:
    np.array(tensor, copy=False)
except ValueError as error:
    print(str(error).splitlines()[0])
# => Unable to avoid copy while creating an array as requested.
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword
print(np.shares_memory(np.array(tensor.numpy(), copy=False), shared))
# => True

# %%
# A tensor that requires gradients raises in ``__array__`` just as it does in ``numpy()``. See
# :doc:`/gallery/02_tensor_to_numpy/requires_grad`.

try:
    np.asarray(torch.ones(2, requires_grad=True))
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# The spellings without a warning are ``tensor.numpy()`` to share and ``tensor.numpy().copy()`` to
# own. Both say what they do, in every release of NumPy.

owned = tensor.numpy().copy()
print(np.shares_memory(owned, shared))
# => False
