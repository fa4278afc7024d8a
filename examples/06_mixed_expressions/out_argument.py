"""
out= with a tensor in NumPy or an array in torch
================================================

NumPy does not accept a tensor as ``out``, nor torch an array. Pass a view of the same memory:
``np.add(a, 1, out=tensor.numpy())`` or ``torch.add(t, 1, out=torch.from_numpy(array))``.
"""

# sphinx_gallery_tags = ["out", "sharing", "in-place", "error"]

import numpy as np
import torch

# %%
# ``np.add`` raises for a tensor as ``out``.

tensor = torch.zeros(3)
array = np.array([1.0, 2.0, 3.0])
try:
    np.add(array, 1, out=tensor)
except TypeError as error:
    print(error)
# => return arrays must be of ArrayType

# %%
# Pass ``tensor.numpy()``, an array on the same memory: NumPy then writes the result into the
# tensor. Here it computes in ``float64`` and rounds to ``float32``.

np.add(array, 1, out=tensor.numpy())
print(tensor)
# => tensor([2., 3., 4.])

# %%
# This works for :func:`numpy.sum` and :func:`numpy.copyto` too.

np.sum([array, array], axis=0, out=tensor.numpy())
print(tensor)
# => tensor([2., 4., 6.])
np.copyto(tensor.numpy(), array)
print(tensor)
# => tensor([1., 2., 3.])

# %%
# For :func:`torch.add` ``out`` is a tensor. :func:`torch.from_numpy` makes one on the array's
# memory.

target = np.zeros(3)
try:
    torch.add(tensor, 1, out=target)
except TypeError as error:
    print(error)
# => add(): argument 'out' must be Tensor, not numpy.ndarray
torch.add(tensor, 1, out=torch.from_numpy(target))
print(target)
# => [2. 3. 4.]

# %%
# ``torch.add`` resizes an ``out`` tensor of the wrong shape. This one is too large: torch writes
# its first elements and warns; the other elements keep their values.

large = np.full(5, -1.0)
torch.add(tensor, 1, out=torch.from_numpy(large))
# => UserWarning: An output with one or more elements was resized since it had shape [5], which does not match the required output shape [3]. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).
# => UserWarning: An output with one or more elements was resized since it had shape [5], which does not match the required output shape [3]. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).
print(large)
# => [ 2.  3.  4. -1. -1.]

# %%
# The next one is too small. Torch raises, because it does not resize memory that belongs to NumPy.

small = np.zeros(2)
try:
    torch.add(tensor, 1, out=torch.from_numpy(small))
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => Trying to resize storage that is not resizable
# => UserWarning: An output with one or more elements was resized since it had shape [2], which does not match the required output shape [3]. This behavior is deprecated, and in a future PyTorch release outputs will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0).

# %%
# Autograd does not record NumPy's writes, so do not work around the error for tensors that require
# gradients: :doc:`/gallery/10_autograd/silent_gradient`.

weights = torch.zeros(3, requires_grad=True)
try:
    np.add(array, 1, out=weights.numpy())
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
