"""
One value out of a tensor: item, tolist or numpy
================================================

``tensor.item()`` turns a tensor with one value into a Python number, even if it requires grad. Of a
0-d tensor, ``numpy()`` gives a 0-d array, and ``numpy()[()]`` a NumPy scalar.
"""

# sphinx_gallery_tags = ["scalar", "autograd", "warning"]

import numpy as np
import torch

# %%
# A reduction such as ``mean()`` returns a 0-d tensor. :meth:`torch.Tensor.item` turns it into a
# Python number, and so does ``tolist`` for a 0-d tensor. ``item`` also accepts the 2-d tensor
# below, because it has one element.

mean = torch.tensor([1.0, 2.0, 4.5]).mean()
print(mean.shape, mean.item(), mean.tolist())
# => torch.Size([]) 2.5 2.5
print(type(mean.item()))
# => <class 'float'>
print(torch.tensor([[3]]).item())
# => 3

# %%
# ``numpy()`` gives a 0-d array, not a NumPy scalar. The array still shares memory with the tensor;
# indexing it with ``()`` extracts the scalar, which is a copy.

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
# A Python float has more digits than ``float32`` holds, so ``item`` shows the value that is really
# stored. The NumPy scalar keeps the dtype and prints as many digits as it needs.

tenth = torch.tensor(0.1)
print(tenth.item())
# => 0.10000000149011612
print(tenth.numpy()[()])
# => 0.1

# %%
# More than one element raises an error: ``RuntimeError`` with ``item``, ``ValueError`` with
# ``float``.

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
# ``item`` and ``tolist`` also work if the tensor requires gradients. They return plain numbers
# without gradient history, and do not warn.

loss = torch.tensor(2.5, requires_grad=True)
print(loss.item(), loss.tolist())
# => 2.5 2.5

# %%
# ``float`` does the same but warns, because functions of :mod:`math` call it without your noticing
# (`pull request 143261 <https://github.com/pytorch/pytorch/pull/143261>`__). Call ``detach`` first
# to avoid the warning: :doc:`/gallery/13_errors/scalar_from_graph`.

print(float(loss))
# => 2.5
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.
print(float(loss.detach()))
# => 2.5

# %%
# For many values, call ``tolist`` or ``numpy()`` once instead of ``item`` in a loop.

print(torch.arange(6).reshape(2, 3).tolist())
# => [[0, 1, 2], [3, 4, 5]]
print(np.array_equal([value.item() for value in torch.arange(6)], torch.arange(6).numpy()))
# => True
