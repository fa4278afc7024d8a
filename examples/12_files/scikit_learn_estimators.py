"""
Tensors in scikit-learn: fit and predict
========================================

A scikit-learn estimator takes a CPU tensor, but pass ``tensor.detach().numpy()``: for a ``float32``
tensor many return ``float64``. Call ``torch.from_numpy`` on the result.
"""

# sphinx_gallery_tags = ["scikit-learn", "ecosystem", "dtype"]

import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler

# %%
# This estimator accepts a CPU tensor. ``predict`` returns an array, unless you switch on the
# experimental `array API support <https://scikit-learn.org/stable/modules/array_api.html>`__.

features = torch.tensor([[0.0], [1.0], [2.0], [3.0]])
targets = torch.tensor([1.0, 3.0, 5.0, 7.0])
model = LinearRegression().fit(features, targets)
predicted = model.predict(features)
print(type(predicted), predicted.dtype)
# => <class 'numpy.ndarray'> float32

# %%
# From ``float32`` features this estimator predicts ``float32``, if it was fitted on ``float32``, so
# the result needs no cast for a ``float32`` network. Others, such as ``StandardScaler``, ``PCA``
# and ``Ridge``, return ``float64`` for a ``float32`` tensor, but ``float32`` for its array. Pass
# ``tensor.numpy()`` to them.

wide = LinearRegression().fit(features.double(), targets.double())
print(wide.predict(features.double()).dtype)
# => float64
print(torch.from_numpy(predicted).dtype == features.dtype)
# => True

# %%
# This transformer copies by default. With ``copy=False`` it may work in place: it then changes the
# tensor that shares memory with the array.

scaled = StandardScaler().fit_transform(features.numpy())
print(np.shares_memory(scaled, features.numpy()), features.flatten().tolist())
# => False [0.0, 1.0, 2.0, 3.0]
shared = StandardScaler(copy=False).fit_transform(features.numpy())
print(np.shares_memory(shared, features.numpy()))
# => True
print(features.mean().item() == 0)
# => True

# %%
# This estimator raises for a tensor that requires gradients, as :meth:`torch.Tensor.numpy` does.
# Detach first. Gradients do not flow back through an estimator.

weights = torch.ones(4, 1, requires_grad=True)
try:
    model.predict(weights)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
print(model.predict(weights.detach()).shape)
# => (4,)
