"""
TypeError: sum() got an unexpected keyword argument 'axis'
==========================================================

``np.sum`` calls the tensor's own ``sum`` with keywords that only NumPy knows: call the method of
the tensor instead.

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
# :func:`numpy.sum` looks for `a method of that name
# <https://github.com/numpy/numpy/blob/main/numpy/_core/fromnumeric.py>`__ and passes NumPy's
# keywords to it. A tensor has the method, but not all the keywords, so the message can name an
# ``axis`` that you did not write.

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
# Call the method of the tensor. It stays on the device and keeps the gradient.

print(tensor.sum(), tensor.mean(dim=0))
# => tensor(10.) tensor([2., 3.])

# %%
# Or convert, and use all of NumPy. Put ``detach().cpu()`` in front for tensors in training.

print(np.mean(tensor.numpy(), axis=0))
# => [2. 3.]

# %%
# :doc:`/gallery/06_mixed_expressions/numpy_reductions` shows which functions fail, which return an
# array and which a tensor.

# %%
# What does not help
# ------------------
#
# ``dim`` in place of ``axis`` fails as well. The tensor's own ``sum`` accepts ``axis``; it is
# NumPy's other keywords, such as ``out``, that it does not accept.

try:
    np.sum(tensor, dim=0)
except TypeError as error:
    print(error)
# => sum() got an unexpected keyword argument 'dim'
print(tensor.sum(axis=0))
# => tensor([4., 6.])

# %%
# Python's ``sum`` only adds the rows.

print(sum(tensor))
# => tensor([4., 6.])

# %%
# In a list NumPy does not see the method and converts the tensor, which fails if it requires grad
# or is on a GPU. ``tolist()`` loses the dtype.

weights = tensor.clone().requires_grad_()
try:
    np.sum([weights])
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
print(np.sum(weights.tolist()).dtype, np.sum(weights.detach().numpy()).dtype)
# => float64 float32

# %%
# ``np.nansum`` looks for no method, so it works, but it leaves out missing values.

tensor[0, 0] = float("nan")
print(np.nansum(tensor), tensor.sum())
# => 9.0 tensor(nan)
