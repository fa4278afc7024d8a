"""
RuntimeError: mat1 and mat2 must have the same dtype
====================================================

The data is ``float64`` (Double), NumPy's default for floats, and the weights are ``float32`` (Float):
cast the data with ``float()``.

.. fix::

   - wide = torch.from_numpy(features)
   - model(wide)
   + batch = torch.from_numpy(features).float()
   + model(batch)
"""

# sphinx_gallery_tags = ["dtype", "autograd", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy's floats are ``float64`` by default (Double in the message), and this layer has ``float32``
# weights (Float). Its matrix product needs the same dtype on both sides, while element-wise operations
# `promote <https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc>`__.

features = np.ones((1, 2))
wide = torch.from_numpy(features)
model = torch.nn.Linear(2, 1)
try:
    model(wide)
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Double and Float

# %%
# The product and the layer below raise different messages; for convolutions see
# :doc:`/gallery/13_errors/input_and_bias_type`.

try:
    torch.ones(1, 2) @ wide.T
except RuntimeError as error:
    print(error)
# => expected m1 and m2 to have the same dtype, but got: float != double
try:
    torch.nn.Conv1d(1, 1, 1)(wide.reshape(1, 1, 2))
except RuntimeError as error:
    print(error)
# => Input type (double) and bias type (float) should be the same

# %%
# The fix
# -------
#
# Cast the input first.

batch = torch.from_numpy(features).float()
print(model(batch).dtype)
# => torch.float32

# %%
# Better still, create the array as ``float32``: it takes half the memory, and the tensor shares it.

narrow = np.ones((1, 2), dtype=np.float32)
print(model(torch.from_numpy(narrow)).dtype, narrow.nbytes / features.nbytes)
# => torch.float32 0.5

# %%
# Cast the targets as well. A ``float64`` target does not raise in this loss, but the result is
# ``float64``; for other losses see :doc:`/gallery/03_dtypes/loss_dtypes`.

print(torch.nn.functional.mse_loss(model(batch), torch.from_numpy(np.ones((1, 1)))).dtype)
# => torch.float64

# %%
# What does not help
# ------------------
#
# A different default dtype does not change existing arrays and models.

torch.set_default_dtype(torch.float64)
try:
    model(torch.ones(1, 2, dtype=torch.float64))
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Double and Float
torch.set_default_dtype(torch.float32)

# %%
# ``model.double()`` doubles the memory of the weights, and ``float32`` inputs then raise.

model.double()
print(model.weight.element_size(), model(wide).dtype)
# => 8 torch.float64
try:
    model(batch)
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Float and Double
