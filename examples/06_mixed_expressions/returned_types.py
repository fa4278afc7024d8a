"""
Does a NumPy function return a tensor or an array?
==================================================

Element-wise NumPy functions such as ``np.exp`` return a tensor for a tensor; ``np.sort``,
``np.concatenate`` and ``np.median`` return NumPy's types. Convert first with ``tensor.numpy()``,
and all of them do.
"""

# sphinx_gallery_tags = ["functions", "dtype", "silent", "warning"]

import warnings

import numpy as np
import torch

# %%
# What a NumPy function returns for a tensor depends on how it is written inside. Each of the
# groups below contains everyday functions. The list of warnings is long, so it is left out here;
# :doc:`/gallery/06_mixed_expressions/numpy_reductions` shows them.

warnings.simplefilter("ignore")
tensor = torch.tensor([1.0, 2.0, 4.0])


def show(*names, arguments=()):
    for name in names:
        print(name, type(getattr(np, name)(tensor, *arguments)).__name__)


# %%
# Element-wise functions wrap their result in a tensor again. So do those that try the tensor's
# method first, find that it takes other arguments, and go on with an array.

show("exp", "abs", "argmax", "cumsum", "transpose")
# => exp Tensor
# => abs Tensor
# => argmax Tensor
# => cumsum Tensor
# => transpose Tensor
show("clip", arguments=(1, 2))
# => clip Tensor

# %%
# Functions that convert first return NumPy's own types.

show("sort", "ravel", "unique", "diff", "ones_like", "median")
# => sort ndarray
# => ravel ndarray
# => unique ndarray
# => diff ndarray
# => ones_like ndarray
# => median float32

# %%
# :func:`numpy.size` passes on an attribute that is a number in NumPy and a method here. It returns
# the method, which is never equal to a number.

print(callable(np.size(tensor)), np.size(tensor) == 3)
# => True False
print(np.shape(tensor), np.ndim(tensor))
# => torch.Size([3]) 1

# %%
# Joining and selecting gives arrays, in the dtype that NumPy chooses, also when all inputs are
# tensors. A gradient would end here, which is why tensors that require one are refused.

print(type(np.concatenate([tensor, tensor])).__name__)
# => ndarray
print(np.where(tensor > 1, tensor, np.zeros(3)).dtype)
# => float64

# %%
# In one module the types differ as well: the inverse is a tensor, the determinant a NumPy scalar,
# and the three parts of a decomposition are not of one type.

matrix = torch.tensor([[2.0, 0.0], [0.0, 4.0]])
print(type(np.linalg.inv(matrix)).__name__, type(np.linalg.det(matrix)).__name__)
# => Tensor float32
print([type(part).__name__ for part in np.linalg.svd(matrix)])
# => ['Tensor', 'ndarray', 'Tensor']
print([type(part).__name__ for part in np.linalg.eigh(matrix)])
# => ['ndarray', 'Tensor']

# %%
# Stay in one library. torch has all of these under the same name or a similar one; otherwise
# convert before the call, and every result is of a NumPy type.

print(torch.linalg.svd(matrix).S, torch.concatenate([tensor, tensor]).dtype)
# => tensor([4., 2.]) torch.float32
print(type(np.exp(tensor.numpy())).__name__, np.size(tensor.numpy()))
# => ndarray 3
