"""
TypeError: sum() got an unexpected keyword argument 'axis'
==========================================================

``np.sum`` passes NumPy's ``out`` to the tensor's own ``sum``, which does not accept it: call the method
of the tensor instead.

.. fix::

   - np.sum(tensor)
   - np.mean(tensor, axis=0)
   + tensor.sum()
   + tensor.mean(dim=0)

Before torch 2.13 the message is ``sum() received an invalid combination of arguments``.
"""

# sphinx_gallery_tags = ["functions", "reductions", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# If the argument is not an array and has a method ``sum``, :func:`numpy.sum` `calls that method
# <https://github.com/numpy/numpy/blob/main/numpy/_core/fromnumeric.py>`__ with NumPy's keywords.
# The tensor's method does not accept ``out``, but the message can name an ``axis`` that you did not
# write.

tensor = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
try:
    np.sum(tensor)
except TypeError as error:
    print(error)
# => sum() got an unexpected keyword argument 'axis'
try:
    np.mean(tensor, axis=0)
except TypeError as error:
    print(error)
# => mean() got an unexpected keyword argument 'axis'

# %%
# The fix
# -------
#
# Call the tensor's own method. It runs on the tensor's device and keeps the gradient.

print(tensor.sum(), tensor.mean(dim=0))
# => tensor(10.) tensor([2., 3.])

# %%
# Or convert the tensor and use NumPy's functions. If it requires grad or is on a GPU, call
# ``detach().cpu()`` first.

print(np.mean(tensor.numpy(), axis=0))
# => [2. 3.]

# %%
# For what NumPy's reductions return, see :doc:`/gallery/06_mixed_expressions/numpy_reductions`.

# %%
# What does not help
# ------------------
#
# ``dim`` instead of ``axis`` raises as well. The tensor's own ``sum`` accepts ``axis``,
# also with ``keepdims``, but not NumPy's ``out``, ``initial`` and ``where``.

try:
    np.sum(tensor, dim=0)
except TypeError as error:
    print(error)
# => sum() got an unexpected keyword argument 'dim'
print(tensor.sum(axis=0))
# => tensor([4., 6.])

# %%
# Python's ``sum`` adds the rows, not all elements.

print(sum(tensor))
# => tensor([4., 6.])

# %%
# If the tensor is in a list, NumPy converts it instead of calling its method, which raises if it
# requires grad or is on a GPU. ``tolist()`` loses the dtype.

weights = tensor.clone().requires_grad_()
try:
    np.sum([weights])
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
print(np.sum(weights.tolist()).dtype, np.sum(weights.detach().numpy()).dtype)
# => float64 float32

# %%
# ``np.nansum`` converts the tensor itself, so it works for this tensor, but it skips missing values.

tensor[0, 0] = float("nan")
print(np.nansum(tensor), tensor.sum())
# => 9.0 tensor(nan)
