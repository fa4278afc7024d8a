"""
RuntimeError: a Tensor with 3 elements cannot be converted to Scalar
====================================================================

``item()``, ``float()`` and ``int()`` need exactly one element: reduce the tensor, pick an element,
or call ``tolist()``.

.. fix::

   - scores.item()
   + scores.mean().item()
   + scores.tolist()
"""

# sphinx_gallery_tags = ["scalar", "item", "error"]

import math

import numpy as np
import torch

# %%
# The error
# ---------
#
# A Python number is a single value. For a tensor with several values ``float``, ``int`` and
# ``complex`` raise a ``ValueError``, and so do ``math.sqrt`` and ``"%f" % scores``.

scores = torch.tensor([0.5, 2.0, 3.5])
try:
    float(scores)
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars
try:
    math.sqrt(scores)
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars

# %%
# :meth:`torch.Tensor.item` has its own message since torch 2.0. An empty tensor raises too, for
# example if a mask matches nothing.

try:
    scores.item()
except (RuntimeError, ValueError) as error:
    print(error)
# => a Tensor with 3 elements cannot be converted to Scalar
try:
    scores[scores > 9].item()
except (RuntimeError, ValueError) as error:
    print(error)
# => a Tensor with 0 elements cannot be converted to Scalar

# %%
# The fix
# -------
#
# Choose a value: one element, a reduction, or the elements as a list.

print(scores[0].item(), scores.mean().item())
# => 0.5 2.0
print(scores.tolist())
# => [0.5, 2.0, 3.5]

# %%
# To compute with the whole tensor, use the torch function instead of Python's.

print(torch.sqrt(scores))
# => tensor([0.7071, 1.4142, 1.8708])

# %%
# If you expected one element, print the shape first. This loss with ``reduction="none"`` is a vector,
# and so is one gathered from several GPUs: take its mean before ``item()``.

loss = torch.nn.MSELoss(reduction="none")(scores, torch.zeros(3))
print(loss.shape, loss.mean().item())
# => torch.Size([3]) 5.5

# %%
# To assign several values to an array or a tensor, assign to a slice of the same length. A single
# element accepts only one value.

row = np.zeros(3)
try:
    row[0] = scores
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars
row[:] = scores
print(row)
# => [0.5 2.  3.5]

# %%
# What does not help
# ------------------
#
# ``squeeze`` removes axes of length one, but no elements. Moving or detaching the tensor does not
# change the number of elements either.

try:
    float(scores.squeeze().detach().cpu())
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars

# %%
# NumPy raises too, so converting first only changes the message.

try:
    scores.numpy().item()
except ValueError as error:
    print(error)
# => can only convert an array of size 1 to a Python scalar

# %%
# To combine tensors in :func:`torch.tensor`, stack them instead:
# :doc:`/gallery/13_errors/list_of_tensors`. If you use a tensor as an integer, in a slice or
# ``range``, see :doc:`/gallery/13_errors/tensor_as_index`.

print(torch.stack([scores, scores]).shape)
# => torch.Size([2, 3])
