"""
AttributeError: 'DataFrame' object has no attribute 'to'
========================================================

The code expects a tensor and has a table or a column of pandas: convert it with ``to_numpy`` and
``torch.from_numpy``.

.. fix::

   - features.to("cpu")
   + tensor = torch.from_numpy(features.to_numpy(dtype=np.float32, copy=True))
   + column = features["x"].to_numpy().reshape(-1, 1)
"""

# sphinx_gallery_tags = ["pandas", "functions", "error"]

import numpy as np
import pandas as pd
import torch

# %%
# The error
# ---------
#
# ``pd.read_csv`` returns a table, and ``train_test_split`` splits a table into tables. This table has neither ``to`` nor
# ``cuda``, ``float`` or ``numpy``, and its column has no ``reshape`` or ``unsqueeze``.

features = pd.DataFrame({"x": [1.0, 2.0]})
try:
    features.to("cpu")
except AttributeError as error:
    print(error)
# => 'DataFrame' object has no attribute 'to'
for name in ["reshape", "unsqueeze", "numpy", "cpu"]:
    try:
        getattr(features["x"], name)
    except AttributeError as error:
        print(error)
# => 'Series' object has no attribute 'reshape'
# => 'Series' object has no attribute 'unsqueeze'
# => 'Series' object has no attribute 'numpy'
# => 'Series' object has no attribute 'cpu'

# %%
# ``Linear`` and ``from_numpy`` name the class.

try:
    torch.nn.Linear(1, 1)(features)
except TypeError as error:
    print(error)
# => linear(): argument 'input' (position 1) must be Tensor, not DataFrame
try:
    torch.from_numpy(features)
except TypeError as error:
    print(error)
# => expected np.ndarray (got DataFrame)

# %%
# ``size`` of a table is a number, and a method of tensors. ``TensorDataset`` calls it.

try:
    torch.utils.data.TensorDataset(features)
except TypeError as error:
    print(error)
# => 'int' object is not callable

# %%
# One key in square brackets is the name of a column, not the position of a row.

try:
    features[0]
except KeyError as error:
    print("KeyError:", error)
# => KeyError: 0

# %%
# The fix
# -------
#
# Convert once, before the dataset and the model. Name the dtype, so that columns of integers and of ``float64`` become
# what the model expects.

tensor = torch.from_numpy(features.to_numpy(dtype=np.float32, copy=True))
print(tensor.to("cpu").dtype, tensor.shape)
# => torch.float32 torch.Size([2, 1])
print(torch.nn.Linear(1, 1)(tensor).shape)
# => torch.Size([2, 1])

# %%
# Reshape the array of a column.

column = features["x"].to_numpy().reshape(-1, 1)
print(column.shape)
# => (2, 1)

# %%
# Rows by position are ``iloc``; see :doc:`/gallery/13_errors/pandas_key_error`. Columns of words need numbers first:
# :doc:`/gallery/13_errors/strings`.

print(features.iloc[0].to_numpy())
# => [1.]

# %%
# What does not help
# ------------------
#
# A list of the table holds the names of its columns.

print(list(features))
# => ['x']
