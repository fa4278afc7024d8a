"""
ValueError: Found array with dim 3, while dim <= 2 is required
==============================================================

A scaler of scikit-learn takes a table of samples and features: reshape an output of three axes to
``(-1, features)``, and one of a single axis to ``(-1, 1)``.

.. fix::

   - scaler.inverse_transform(output)
   + rows = output.reshape(-1, output.shape[-1])
   + restored = scaler.inverse_transform(rows).reshape(output.shape)
"""

# sphinx_gallery_tags = ["scikit-learn", "shape", "error"]

import numpy as np
import torch
from sklearn.preprocessing import StandardScaler

# %%
# The error
# ---------
#
# A model of time series can give an output of shape ``(batch, time, features)``. The scaler was fitted on a
# table with a column for each feature. Older releases say
# ``ValueError: Found array with dim 3. None expected <= 2.``

table = np.array([[0.0, 10.0], [2.0, 30.0]])
scaler = StandardScaler().fit(table)
output = torch.zeros(4, 3, 2).numpy()
try:
    scaler.transform(output)
except ValueError as error:
    print(error)
# => Found array with dim 3, while dim <= 2 is required by StandardScaler.
try:
    scaler.inverse_transform(output)
except ValueError as error:
    print(error)
# => Found array with dim 3, while dim <= 2 is required.

# %%
# With a single axis, it is open whether the numbers are samples or features.

column = torch.zeros(4).numpy()
try:
    StandardScaler().fit(column)
except ValueError as error:
    print(error)
# => Expected 2D array, got 1D array instead:
# => array=[0. 0. 0. 0.].
# => Reshape your data either using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a single sample.

# %%
# The fix
# -------
#
# Keep the axis of the features the last one. ``reshape(output.shape)`` brings the others back.

rows = output.reshape(-1, output.shape[-1])
restored = scaler.inverse_transform(rows).reshape(output.shape)
print(restored.shape, restored[0, 0])
# => (4, 3, 2) [ 1. 20.]

# %%
# Make one feature a column, and one sample a row.

print(StandardScaler().fit(column.reshape(-1, 1)).mean_)
# => [0.]
print(scaler.transform(np.array([2.0, 30.0]).reshape(1, -1)))
# => [[1. 1.]]

# %%
# Images of ``(batch, channels, height, width)`` become rows with ``flatten(1)``.

images = torch.zeros(4, 3, 8, 8)
print(images.flatten(1).numpy().shape)
# => (4, 192)

# %%
# A different number of features raises as well. The scaler was fitted on two columns, and the model
# predicts one of them: use this scaler's mean and scale of this column.

target = torch.zeros(4, 1).numpy()
try:
    scaler.transform(target)
except ValueError as error:
    print(error)
# => X has 1 features, but StandardScaler is expecting 2 features as input.
try:
    scaler.inverse_transform(target)
except ValueError as error:
    print(error)
# => non-broadcastable output operand with shape (4,1) doesn't match the broadcast shape (4,2)
print((target * scaler.scale_[1] + scaler.mean_[1])[0])
# => [20.]

# %%
# What does not help
# ------------------
#
# ``squeeze()`` removes axes of length 1, and here each is longer.

print(output.squeeze().shape)
# => (4, 3, 2)
