"""
Tensors in scikit-learn: fit and predict
========================================

A scikit-learn estimator takes a CPU tensor and returns an array: call ``detach()`` before it if the
tensor requires grad, and ``torch.from_numpy`` on the result.
"""

# sphinx_gallery_tags = ["scikit-learn", "ecosystem", "dtype"]

import numpy as np
import torch
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler

# %%
# An estimator converts its input with :func:`numpy.asarray`, so a tensor on the CPU is accepted
# like an array. The answer is an array; nothing turns it back into a tensor, unless the
# experimental `array API support <https://scikit-learn.org/stable/modules/array_api.html>`__ is
# switched on.

features = torch.tensor([[0.0], [1.0], [2.0], [3.0]])
targets = torch.tensor([1.0, 3.0, 5.0, 7.0])
model = LinearRegression().fit(features, targets)
predicted = model.predict(features)
print(type(predicted), predicted.dtype)
# => <class 'numpy.ndarray'> float32

# %%
# For this estimator the dtype of the input decides that of the result, so a network in ``float32``
# that goes on with the answer needs no cast.

wide = LinearRegression().fit(features.double(), targets.double())
print(wide.predict(features.double()).dtype)
# => float64
print(torch.from_numpy(predicted).dtype == features.dtype)
# => True

# %%
# This transformer copies unless it is told otherwise. With ``copy=False`` it may work in place,
# and then writes through the array into the tensor.

scaled = StandardScaler().fit_transform(features.numpy())
print(np.shares_memory(scaled, features.numpy()), features.flatten().tolist())
# => False [0.0, 1.0, 2.0, 3.0]
shared = StandardScaler(copy=False).fit_transform(features.numpy())
print(np.shares_memory(shared, features.numpy()))
# => True
print(features.mean().item() == 0)
# => True

# %%
# What :meth:`torch.Tensor.numpy` refuses, an estimator refuses too. Detach first; the estimator
# ends the graph, so no gradient comes back through a prediction.

weights = torch.ones(4, 1, requires_grad=True)
try:
    model.predict(weights)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
print(model.predict(weights.detach()).shape)
# => (4,)
