"""
TypeError: only 0-dimensional arrays can be converted to Python …
=================================================================

With NumPy 2.4, ``float()`` and ``int()`` refuse an array with an axis, even with one element: take the
element with ``item()`` or an index for each axis.

.. fix::

   - float(array)
   + array.item()
   + array[0]

If the line is in a library, upgrade it, or install ``"numpy<2.4"``, for Python 3.11 to 3.14.
"""

# sphinx_gallery_tags = ["scalar", "numpy", "error", "warning"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# A model's output of shape ``(1,)`` or ``(1, 1)`` becomes an array with an axis. NumPy 1.25 to 2.3 warn
# of it: ``DeprecationWarning: Conversion of an array with ndim > 0 to a scalar is deprecated, and will error in future.
# Ensure you extract a single element from your array before performing this operation.``

array = torch.tensor([0.5]).numpy()
try:
    float(array)
except TypeError as error:
    print(error)
# => only 0-dimensional arrays can be converted to Python scalars

# %%
# A format such as ``"%.2f" %`` and functions such as ``math.sqrt`` convert to a float as well.

try:
    print("%.2f" % array)
except TypeError as error:
    print(error)
# => only 0-dimensional arrays can be converted to Python scalars

# %%
# With two elements or more, older releases raise, too, in other words: ``TypeError: only length-1 arrays can be
# converted to Python scalars``.

try:
    int(np.array([1, 2]))
except TypeError as error:
    print(error)
# => only 0-dimensional arrays can be converted to Python scalars

# %%
# Writing such an array into one element of this ``float64`` array raises another error.

row = np.zeros(3)
try:
    row[0] = array
    print(row)
except ValueError as error:
    print(error)
# => setting an array element with a sequence.

# %%
# The fix
# -------
#
# ``item()`` takes the number out of an array or a tensor with one element, with any number of axes.

print(array.item())
# => 0.5
print(array[0])
# => 0.5
print(torch.tensor([[0.5]]).item())
# => 0.5
row[0] = array.item()
print(row)
# => [0.5 0.  0. ]

# %%
# For several elements, reduce them to one, or make a list of numbers.

print(float(np.array([1.0, 2.0]).mean()), np.array([1.0, 2.0]).tolist())
# => 1.5 [1.0, 2.0]

# %%
# What does not help
# ------------------
#
# ``astype(float)`` changes the dtype of an array and keeps its axes.

print(array.astype(float).shape)
# => (1,)
