"""
DeprecationWarning: __array__ … doesn't accept a copy keyword
=============================================================

``np.array(tensor)`` makes a correct copy, but NumPy 2.1 and later warn because ``Tensor.__array__``
takes no ``copy``; if ``copy=False`` in a library's line raises, upgrade that library.

.. fix::

   - array = np.array(tensor)
   + owned = tensor.numpy().copy()

**Safe to ignore**: the array is right. With ``copy=False`` NumPy 2 raises a ``ValueError``. Until
a library has a new release without ``copy=False``, install ``"numpy<2"``, which has wheels up to Python 3.12.
"""

# sphinx_gallery_tags = ["copy", "sharing", "numpy", "error", "warning"]

import warnings

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy 2 passes the ``copy`` argument of :func:`numpy.array` to the method ``__array__``, and that
# of a tensor `does not accept it <https://github.com/pytorch/pytorch/issues/136264>`__. NumPy then
# makes the copy itself and, since 2.1, warns.

tensor = torch.tensor([1.0, 2.0])
array = np.array(tensor)
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword
print(np.shares_memory(array, tensor.numpy()))
# => False

# %%
# With ``copy=False`` NumPy 2 raises here, because it does not know whether a copy is needed. In
# NumPy 1 the same argument `meant "only if needed"
# <https://numpy.org/doc/stable/numpy_2_0_migration_guide.html>`__.

try:
    np.array(tensor, copy=False)
except ValueError as error:
    print(str(error).splitlines()[0])
# => Unable to avoid copy while creating an array as requested.
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword

# %%
# The fix
# -------
#
# Convert with the tensor's own method and copy the array. If the tensor may require grad or be on a
# GPU, call ``detach().cpu()`` first.

owned = tensor.numpy().copy()
print(np.shares_memory(owned, tensor.numpy()))
# => False

# %%
# To copy only if needed, call :func:`numpy.asarray`. This works before NumPy 2 too, but without its
# ``copy`` argument: NumPy 1 says ``asarray() got an unexpected keyword argument 'copy'``. For a copy,
# call ``np.array`` there, or the array's ``copy()``.

shared = np.asarray(tensor)
print(np.shares_memory(shared, tensor.numpy()))
# => True

# %%
# To forbid a copy, convert with ``numpy()`` first. In NumPy 2 ``np.array`` with ``copy=False`` then
# shares memory, and raises if another dtype needs a copy.

print(np.shares_memory(np.array(tensor.numpy(), copy=False), shared))
# => True
try:
    np.array(tensor.numpy(), dtype=np.float64, copy=False)
except ValueError as error:
    print(str(error).splitlines()[0])
# => Unable to avoid copy while creating an array as requested.

# %%
# What does not help
# ------------------
#
# ``copy=True`` is the default of :func:`numpy.array`, so this call does the same as the first.

array = np.array(tensor, copy=True)
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword

# %%
# A filter hides the warning, but ``copy=False`` still raises.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    try:
        np.array(tensor, copy=False)
    except ValueError as error:
        print(str(error).splitlines()[0])
# => Unable to avoid copy while creating an array as requested.

# %%
# If you replace :func:`numpy.array` by :func:`numpy.asarray`, the warning is gone, but so is the
# copy: the array shares memory with the tensor.

snapshot = np.asarray(tensor)
tensor.zero_()
print(snapshot)
# => [0. 0.]
