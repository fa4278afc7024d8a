"""
TypeError: loop of ufunc does not support argument 0 of type float …
====================================================================

The array has ``dtype=object``, so ``np.sqrt`` asks each element for a method: cast it with
``astype(np.float64)``, or stack the tensors that it holds.

.. fix::

   - np.sqrt(column)
   + np.sqrt(column.astype(np.float64))
   + np.round(torch.stack(tensors).numpy())
"""

# sphinx_gallery_tags = ["object", "dtype", "pandas", "error"]

import numpy as np
import pandas as pd
import torch

# %%
# The error
# ---------
#
# A column that mixes numbers with text can be an array of objects. A ``float`` has no method ``sqrt``.

column = np.array([1.0, 4.0], dtype=object)
try:
    np.sqrt(column)
except TypeError as error:
    print(error)
# => loop of ufunc does not support argument 0 of type float which has no callable sqrt method

# %%
# ``np.isnan`` and ``np.isfinite`` say it in other words.

try:
    np.isnan(column)
except TypeError as error:
    print(error)
# => ufunc 'isnan' not supported for the input types, and the inputs could not be safely coerced to any supported types according to the casting rule ''safe''

# %%
# In an array of objects that are tensors, ``np.exp`` calls the method ``exp`` of each. Tensors have no ``rint``, for
# which ``np.round`` asks.

tensors = [torch.tensor([0.4]), torch.tensor([1.6])]
objects = np.empty(2, dtype=object)
objects[:] = tensors
try:
    np.round(objects)
except TypeError as error:
    print(error)
# => loop of ufunc does not support argument 0 of type Tensor which has no callable rint method

# %%
# An array of text has no arithmetic with numbers either.

texts = np.array(["1.5", "2"])
try:
    texts + np.float32(1)
except TypeError as error:
    print(error)
# => ufunc 'add' did not contain a loop with signature matching types (dtype('<U3'), dtype('float32')) -> None

# %%
# The fix
# -------
#
# Cast the array once, where it is made. ``None`` becomes NaN in a float dtype.

print(np.sqrt(column.astype(np.float64)))
# => [1. 2.]
print(np.isnan(np.array([1.0, None], dtype=object).astype(np.float64)))
# => [False  True]

# %%
# Make one array of the tensors.

print(np.round(torch.stack(tensors).numpy()))
# => [[0.]
# =>  [2.]]

# %%
# Parse numbers that are text.

print(texts.astype(np.float64) + 1)
# => [2.5 3. ]

# %%
# ``pd.isna`` accepts objects and text. With pandas, ``to_numpy`` takes the dtype and a number for missing
# values.

print(pd.isna(np.array([1.0, None, "a"], dtype=object)))
# => [False  True False]
print(pd.Series([1, None], dtype="Int64").to_numpy(dtype=np.float64, na_value=np.nan))
# => [ 1. nan]

# %%
# What does not help
# ------------------
#
# ``dtype=`` of ``np.sqrt`` alone does not convert objects.

try:
    np.sqrt(column, dtype=np.float64)
except TypeError as error:
    print(type(error).__name__)
# => UFuncTypeError
