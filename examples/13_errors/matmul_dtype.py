"""
RuntimeError: mat1 and mat2 must have the same dtype
====================================================

The data and the weights differ in dtype, often ``float64`` of NumPy (Double) and ``float32`` (Float):
cast the data to the dtype of the weights.

.. fix::

   - model(wide)
   + batch = wide.to(model.weight.dtype)
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
# Cast the input to what the layer has. For these weights it is the same as ``wide.float()``.

batch = wide.to(model.weight.dtype)
print(model(batch).dtype)
# => torch.float32

# %%
# With weights in half precision (Half or BFloat16 in the message), the same line casts a ``float32`` input.
# For a whole model, take the dtype of ``next(model.parameters())``.

small = torch.nn.Linear(2, 1, dtype=torch.bfloat16)
try:
    small(batch)
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Float and BFloat16
print(small(batch.to(small.weight.dtype)).dtype)
# => torch.bfloat16

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
