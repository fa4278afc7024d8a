"""
AttributeError: module 'numpy' has no attribute 'float'
=======================================================

NumPy 1.24 removed ``np.float`` and ``np.int``, NumPy 2 removed ``np.float_`` and others: write a dtype
with its size, such as ``np.float32``, or upgrade the library whose line it is.

.. fix::

   - array.astype(np.float)
   + array.astype(np.float32)
"""

# sphinx_gallery_tags = ["installation", "numpy", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``np.float`` was another name for Python's ``float``. It was deprecated in NumPy 1.20 and removed
# in 1.24. The first line of the message says what is missing.

array = np.arange(3)
try:
    array.astype(np.float)
except AttributeError as error:
    print(str(error).splitlines()[0])
# => module 'numpy' has no attribute 'float'.
try:
    array.astype(np.int)
except AttributeError as error:
    print(str(error).splitlines()[0])
# => module 'numpy' has no attribute 'int'.

# %%
# NumPy 2 removed more names. For these two, the message says what to write instead.

try:
    array.astype(np.float_)
except AttributeError as error:
    print(error)
# => `np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead.
try:
    array.astype(np.complex_)
except AttributeError as error:
    print(error)
# => `np.complex_` was removed in the NumPy 2.0 release. Use `np.complex128` instead.

# %%
# ``np.bool`` and ``np.long`` were removed in 1.24, too. NumPy 2 has them again, as its own dtypes.

try:
    print((array > 0).astype(np.bool))
except AttributeError as error:
    print(str(error).splitlines()[0])
# => [False  True  True]
try:
    print(array.astype(np.long).dtype)
except AttributeError as error:
    print(str(error).splitlines()[0])
# => int64

# %%
# The fix
# -------
#
# These names work with NumPy 1 and 2. On the way to torch, take the dtype that the model
# expects: ``np.float64`` is what ``np.float`` meant, but torch makes weights of ``float32`` by
# default.

print(torch.from_numpy(array.astype(np.float32)).dtype)
# => torch.float32
print(torch.from_numpy(array.astype(np.int64)).dtype)
# => torch.int64
print(torch.from_numpy(array.astype(np.bool_)).dtype)
# => torch.bool

# %%
# ``ComplexWarning``, ``VisibleDeprecationWarning`` and ``AxisError`` have moved to ``numpy.exceptions``.
#
# Python's own types work as well. ``float`` means ``float64`` here, and ``int`` means ``int64`` on
# 64-bit Linux and macOS, and in NumPy 2 on 64-bit Windows.

print(array.astype(float).dtype, array.astype(bool).dtype, array.astype(object).dtype)
# => float64 bool object

# %%
# In your own code, `Ruff <https://docs.astral.sh/ruff/rules/numpy2-deprecation/>`__ replaces the
# names: ``ruff check --select NPY001,NPY201 --fix``. If a library uses the name, upgrade the library;
# in the traceback, its file comes right before NumPy's own. Until it has a new release, install an
# older NumPy: ``"numpy<1.24"`` for ``np.float``, which has wheels up to Python 3.11, or ``"numpy<2"``
# for ``np.float_``, up to Python 3.12. With a newer Python pip would build them from source.
#
# What does not help
# ------------------
#
# You can put the name back, but then other modules of the process see it too.

np.float = float
print(array.astype(np.float).dtype)
# => float64
del np.float
