"""
ValueError: only one element tensors can be converted to … scalars
==================================================================

``torch.tensor`` reads each tensor in this list as a number, which needs a single element: join
tensors with ``torch.stack``.

.. fix::

   - torch.tensor(parts)
   + tensor = torch.stack(parts)
"""

# sphinx_gallery_tags = ["list", "autograd", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# :func:`torch.tensor` tries to read each tensor in this list as one number, which fails for two
# elements. The integer tensors here raise a ``TypeError`` instead. For ``item()`` and ``float()``
# see :doc:`/gallery/13_errors/one_element_tensors`, for slices and lists
# :doc:`/gallery/13_errors/tensor_as_index`.

parts = [torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])]
try:
    torch.tensor(parts)
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars
try:
    torch.tensor([part.long() for part in parts])
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index

# %%
# The fix
# -------
#
# :func:`torch.stack` joins tensors along a new axis, in one step and on their device.

tensor = torch.stack(parts)
print(tensor)
# => tensor([[1., 2.],
# =>         [3., 4.]])

# %%
# The result keeps gradients. To join tensors along an existing axis, call :func:`torch.cat`.

losses = [torch.tensor(1.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)]
print(torch.stack(losses).requires_grad)
# => True
print(torch.cat(parts))
# => tensor([1., 2., 3., 4.])

# %%
# Unequal shapes raise. The message names the first tensor that differs.

try:
    torch.stack([torch.zeros(2), torch.zeros(3)])
except RuntimeError as error:
    print(error)
# => stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1

# %%
# What does not help
# ------------------
#
# For tensors with one element :func:`torch.tensor` works, but the result is cut off from the graph.
# There is a warning `since 2.8 <https://github.com/pytorch/pytorch/pull/143261>`__, here for each
# tensor.

print(torch.tensor(losses).requires_grad)
# => False
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.

# %%
# If you convert to lists of Python numbers, you lose the graph, and here the dtype too.

doubles = [part.double() for part in parts]
print(torch.tensor([part.tolist() for part in doubles]).dtype, torch.stack(doubles).dtype)
# => torch.float32 torch.float64

# %%
# ``np.array`` gives the right values, but raises as soon as a tensor requires grad or is on a GPU.

try:
    np.array([part.requires_grad_() for part in parts])
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
