"""
Does a NumPy function return a tensor or an array?
==================================================

For a tensor, NumPy's ufuncs such as ``np.exp`` return a tensor; ``np.sort``, ``np.concatenate`` and
``np.median`` return NumPy's types. If you convert with ``tensor.numpy()`` first, they return
NumPy's types.
"""

# sphinx_gallery_tags = ["functions", "dtype", "silent", "warning"]

import warnings

import numpy as np
import torch

# %%
# The type that a NumPy function returns for a tensor depends on its implementation. Each group
# below contains common functions. The filter hides many warnings; you can see them in
# :doc:`/gallery/06_mixed_expressions/numpy_reductions`.

warnings.simplefilter("ignore")
tensor = torch.tensor([1.0, 2.0, 4.0])


def show(*names, arguments=()):
    for name in names:
        print(name, type(getattr(np, name)(tensor, *arguments)).__name__)


# %%
# The ufuncs ``exp`` and ``abs`` wrap their result in a tensor. So do ``argmax``, ``cumsum``,
# ``transpose`` and ``clip``.

show("exp", "abs", "argmax", "cumsum", "transpose")
# => exp Tensor
# => abs Tensor
# => argmax Tensor
# => cumsum Tensor
# => transpose Tensor
show("clip", arguments=(1, 2))
# => clip Tensor

# %%
# The next functions convert the tensor first, and return NumPy's own types.

show("sort", "ravel", "unique", "diff", "ones_like", "median")
# => sort ndarray
# => ravel ndarray
# => unique ndarray
# => diff ndarray
# => ones_like ndarray
# => median float32

# %%
# :func:`numpy.size` returns the attribute ``size``. On a tensor that is a method, which does not
# equal a number.

print(callable(np.size(tensor)), np.size(tensor) == 3)
# => True False
print(np.shape(tensor), np.ndim(tensor))
# => torch.Size([3]) 1

# %%
# ``concatenate`` returns an array for tensors alone. ``where`` returns one here, in the dtype that
# NumPy chooses. They raise for a tensor that requires gradients, because a gradient would be lost
# here.

print(type(np.concatenate([tensor, tensor])).__name__)
# => ndarray
print(np.where(tensor > 1, tensor, np.zeros(3)).dtype)
# => float64

# %%
# Even within one module the types differ: the inverse is a tensor, the determinant a NumPy scalar,
# and the parts of a decomposition have different types.

matrix = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
print(type(np.linalg.inv(matrix)).__name__, type(np.linalg.det(matrix)).__name__)
# => Tensor float32
print([type(part).__name__ for part in np.linalg.svd(matrix)])
# => ['Tensor', 'ndarray', 'Tensor']
print([type(part).__name__ for part in np.linalg.eigh(matrix)])
# => ['ndarray', 'Tensor']

# %%
# Stay in one library. Torch has ``linalg.svd`` and ``concatenate`` too. Otherwise convert before
# the call, for results of NumPy's types.

print(torch.linalg.svd(matrix).S, torch.concatenate([tensor, tensor]).dtype)
# => tensor([4., 2.]) torch.float32
print(type(np.exp(tensor.numpy())).__name__, np.size(tensor.numpy()))
# => ndarray 3
