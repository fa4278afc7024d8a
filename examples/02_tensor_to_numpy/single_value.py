"""
One value out of a tensor: item, tolist or numpy
================================================

``tensor.item()`` turns a tensor with one value into a Python number, also when it requires grad.
``numpy()`` gives an array without dimensions, and ``numpy()[()]`` a NumPy scalar.
"""

# sphinx_gallery_tags = ["scalar", "autograd", "warning"]

import numpy as np
import torch

# %%
# A reduction returns a tensor without dimensions. :meth:`torch.Tensor.item` turns it into a
# Python number, and ``tolist`` does the same here, since there is no list to build. For ``item``
# the number of elements counts, not the number of dimensions.

mean = torch.tensor([1.0, 2.0, 4.5]).mean()
print(mean.shape, mean.item(), mean.tolist())
# => torch.Size([]) 2.5 2.5
print(type(mean.item()))
# => <class 'float'>
print(torch.tensor([[3]]).item())
# => 3

# %%
# ``numpy()`` gives an array without dimensions, not a NumPy scalar. It is still a view of the
# tensor; an empty index extracts the scalar, which is a copy.

array = mean.numpy()
scalar = array[()]
print(type(array), array.shape)
# => <class 'numpy.ndarray'> ()
print(type(scalar))
# => <class 'numpy.float32'>
mean.add_(10)
print(array, scalar)
# => 12.5 2.5

# %%
# A Python float has more digits than ``float32`` holds, so ``item`` shows the value that was
# really stored. The NumPy scalar keeps the dtype, and with it the short spelling.

tenth = torch.tensor(0.1)
print(tenth.item())
# => 0.10000000149011612
print(tenth.numpy()[()])
# => 0.1

# %%
# More than one element is an error. ``float`` raises another class of error than ``item``.

try:
    torch.ones(2).item()
except RuntimeError as error:
    print(error)
# => a Tensor with 2 elements cannot be converted to Scalar
try:
    float(torch.ones(2))
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars

# %%
# ``item`` and ``tolist`` also take a tensor that requires gradients: they return plain numbers,
# and the gradient ends there without a warning.

loss = torch.tensor(2.5, requires_grad=True)
print(loss.item(), loss.tolist())
# => 2.5 2.5

# %%
# ``float`` does the same and warns, because functions of :mod:`math` convert a tensor that way
# unnoticed (`pull request 143261 <https://github.com/pytorch/pytorch/pull/143261>`__). ``detach``
# says that it is meant: :doc:`/gallery/13_errors/scalar_from_graph`.

print(float(loss))
# => 2.5
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.
print(float(loss.detach()))
# => 2.5

# %%
# For many values, one ``tolist`` or ``numpy()`` replaces a loop of ``item`` calls.

print(torch.arange(6).reshape(2, 3).tolist())
# => [[0, 1, 2], [3, 4, 5]]
print(np.array_equal([value.item() for value in torch.arange(6)], torch.arange(6).numpy()))
# => True
