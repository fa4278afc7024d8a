"""
tensor[:] = array and array[:] = tensor
=======================================

``array[:] = tensor`` works where ``tensor.numpy()`` does, and converts the dtype, but ``tensor[:] =
array`` raises ``can't assign a numpy.ndarray to a torch.FloatTensor``: write ``tensor[:] =
torch.from_numpy(array)``.
"""

# sphinx_gallery_tags = ["assignment", "in-place", "error", "sharing"]

import numpy as np
import torch

# %%
# You can assign this tensor to a slice or an element of an array. The values are converted to the
# array's dtype and copied; the two do not share memory afterwards.

array = np.zeros(3)
tensor = torch.tensor([1.5, 2.5, 3.5])
array[:] = tensor
array[0] = tensor[2]
print(array)
# => [3.5 2.5 3.5]
print(np.shares_memory(array, tensor.numpy()))
# => False

# %%
# NumPy converts the values. If the array holds integers, it drops the fractions without a warning.

integers = np.zeros(3, dtype=np.int64)
integers[:] = tensor
print(integers)
# => [1 2 3]

# %%
# Assigning an array to a slice of a tensor raises (`issue 2934
# <https://github.com/pytorch/pytorch/issues/2934>`__ requests support). A ``float64`` or integer
# scalar works, but a ``float32`` scalar raises like an array and needs ``item()``.

try:
    tensor[:] = array
except TypeError as error:
    print(error)
# => can't assign a numpy.ndarray to a torch.FloatTensor
try:
    tensor[0] = np.float32(5.0)
except TypeError as error:
    print(error)
# => can't assign a numpy.float32 to a torch.FloatTensor
tensor[0] = np.float64(5.0)
print(tensor)
# => tensor([5.0000, 2.5000, 3.5000])

# %%
# Convert the array with ``from_numpy``. You can then assign it or call :meth:`torch.Tensor.copy_`:
# both convert the dtype, and the tensor keeps its memory.

tensor[:] = torch.from_numpy(array)
print(tensor, tensor.dtype)
# => tensor([3.5000, 2.5000, 3.5000]) torch.float32
tensor.copy_(torch.from_numpy(array * 2))
print(tensor)
# => tensor([7., 5., 7.])

# %%
# Here ``tensor += array`` rebinds the name. NumPy computes the sum, as in
# :doc:`/gallery/06_mixed_expressions/operand_order`, and the result is a new tensor with the dtype
# that NumPy chooses. The original tensor does not change.

alias = tensor
tensor += array
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(tensor is alias, tensor.dtype, alias.dtype)
# => False torch.float64 torch.float32
print(alias)
# => tensor([7., 5., 7.])

# %%
# With this tensor on the right, ``+=`` works in place and keeps the dtype.

alias += torch.from_numpy(array)
print(alias)
# => tensor([10.5000,  7.5000, 10.5000])

# %%
# ``array += tensor`` raises. Convert the tensor with ``numpy()``, which does not copy.

try:
    array += alias
except TypeError as error:
    print(error)
# => Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not rely on this error; it may not be given on all Python implementations.
array += alias.numpy()
print(array)
# => [14. 10. 14.]
