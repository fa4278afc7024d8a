"""
Operand order: tensor * array warns, array * tensor raises
==========================================================

``tensor * array`` warns and gives NumPy's dtype, ``array * tensor`` raises a ``TypeError``: stop
writing either. Convert the array with ``torch.from_numpy(array).to(tensor.dtype)``, and the order no
longer matters.
"""

# sphinx_gallery_tags = ["arithmetic", "dtype", "warning", "error"]

import numpy as np
import torch

# %%
# With the tensor on the left the expression runs. Torch returns ``NotImplemented``, and NumPy
# computes. The result is then wrapped in a tensor, by a method whose signature NumPy has deprecated
# (`pytorch issue 180657 <https://github.com/pytorch/pytorch/issues/180657>`__). NumPy has open
# proposals to `make the warning visible <https://github.com/numpy/numpy/pull/31194>`__ in imported
# modules too, and then `to raise <https://github.com/numpy/numpy/pull/31119>`__.

tensor = torch.tensor([1.0, 2.0, 3.0])
counts = np.array([1, 1, 2], dtype=np.int64)
quotient = tensor / counts
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(quotient)
# => tensor([1.0000, 2.0000, 1.5000], dtype=torch.float64)

# %%
# This result has NumPy's dtype: NumPy combines ``float32`` and a 64-bit integer to ``float64``.
# Between the same two as tensors torch keeps ``float32``, so mixing tensor and array takes twice
# the memory here.

print(np.result_type(np.float32, counts.dtype))
# => float64
print((tensor / torch.from_numpy(counts)).dtype)
# => torch.float32

# %%
# With the array on the left ``*`` raises. A tensor has a higher `array priority
# <https://numpy.org/doc/stable/reference/arrays.classes.html#numpy.class.__array_priority__>`__, so
# NumPy leaves the operation to torch, and torch does not accept arrays.

array = np.array([1.0, 2.0, 3.0])
try:
    array * tensor
except TypeError as error:
    print(error)
# => unsupported operand type(s) for *: 'numpy.ndarray' and 'Tensor'

# %%
# For addition the message is misleading: after both operands return ``NotImplemented``, Python
# tries to concatenate, as it would two lists. `Issue 46829
# <https://github.com/pytorch/pytorch/issues/46829>`__ discusses why the order matters.

try:
    array + tensor
except TypeError as error:
    print(error)
# => Concatenation operation is not implemented for NumPy arrays, use np.concatenate() instead. Please do not rely on this error; it may not be given on all Python implementations.

# %%
# Division is the exception. ``Tensor.__rtruediv__`` `multiplies by the reciprocal
# <https://github.com/pytorch/pytorch/blob/main/torch/_tensor.py>`__ of the tensor, which is rounded
# to the tensor's dtype. The result has dtype ``float64`` but the precision of ``float32``.

ratio = array / tensor
# => DeprecationWarning: __array_wrap__ must accept context and return_scalar arguments (positionally) in the future. (Deprecated NumPy 2.0)
print(ratio.dtype)
# => torch.float64
print(ratio[2].item() == 1.0, (array / tensor.numpy())[2].item() == 1.0)
# => False True

# %%
# Since `NumPy computes <https://github.com/pytorch/pytorch/issues/59237>`__, the expression raises
# for a tensor for which ``numpy()`` raises, such as this one, which requires gradients.

try:
    torch.ones(3, requires_grad=True) * array
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# Convert the array first, to the dtype that the result should have. The order then does not matter,
# the quotient above is exactly 1, and gradients flow.

operand = torch.from_numpy(array).to(tensor.dtype)
print((operand * tensor).dtype, (tensor * operand).dtype)
# => torch.float32 torch.float32
print((operand / tensor)[2].item() == 1.0)
# => True
print((torch.ones(3, requires_grad=True) * operand).requires_grad)
# => True
