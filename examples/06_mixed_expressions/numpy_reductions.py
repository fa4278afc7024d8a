"""
np.sum, np.mean and np.max of a tensor
======================================

``np.sum``, ``np.mean`` and ``np.max`` raise a ``TypeError`` on a tensor. Call the tensor's own
method, ``tensor.sum()``, or convert first: ``np.sum(tensor.numpy())``.
"""

# sphinx_gallery_tags = ["functions", "error", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.sum` of a tensor raises. NumPy `calls the tensor's method of that name
# <https://github.com/numpy/numpy/blob/main/numpy/_core/fromnumeric.py>`__ with NumPy's keywords,
# and the tensor's method does not accept these.

tensor = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
try:
    np.sum(tensor)
except TypeError as error:
    print(error)
# => sum() got an unexpected keyword argument 'axis'

# %%
# The same happens with :func:`numpy.mean`, ``std``, ``var``, ``prod``, ``any``, ``all``, ``max``
# and ``min``. Only the messages differ, because each torch method checks its arguments differently.

try:
    np.max(tensor)
except TypeError as error:
    print(error)
# => max(): argument 'dim' must be int, not NoneType
try:
    np.std(tensor)
except TypeError as error:
    print(str(error).splitlines()[0])
# => std() received an invalid combination of arguments - got (ddof=int, dtype=NoneType, out=NoneType, axis=NoneType, ), but expected one of:

# %%
# The functions below do not call the tensor's method of that name. They convert the tensor to an
# array and return a NumPy type.

print(type(np.median(tensor)), np.median(tensor))
# => <class 'numpy.float32'> 2.5
print(type(np.percentile(tensor, 50)))
# => <class 'numpy.float32'>
print(type(np.linalg.norm(tensor)))
# => <class 'numpy.float32'>

# %%
# A third group, such as ``argmax`` and ``cumsum``, computes in NumPy and wraps the result in a
# tensor, with a deprecation warning.

print(np.argmax(tensor))
# => tensor(3)
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(np.cumsum(tensor, axis=0))
# => tensor([[1., 2.],
# =>         [4., 6.]])
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)

# %%
# The tensor's own ``sum`` and ``mean`` return a tensor and keep gradients. They accept ``axis`` as
# another name for ``dim``.

print(tensor.sum(), tensor.mean(dim=0))
# => tensor(10.) tensor([2., 3.])
print(tensor.sum(axis=0))
# => tensor([4., 6.])

# %%
# If you want the NumPy function, convert first: the rest of the expression is then plain NumPy. The
# two libraries define ``std`` differently: torch divides by n - 1, NumPy by n.

array = tensor.numpy()
print(np.sum(array), np.mean(array, axis=0))
# => 10.0 [2. 3.]
print(np.std(array), tensor.std())
# => 1.118034 tensor(1.2910)
print(np.allclose(np.std(array, ddof=1), tensor.std().item()))
# => True
