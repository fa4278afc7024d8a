"""
RuntimeError: a Tensor with 3 elements cannot be converted to Scalar
====================================================================

``item()``, ``float()`` and ``int()`` need exactly one element: reduce the tensor, pick an element, or
take all with ``tolist()``.

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
# A Python number is one value. ``float``, ``int`` and ``complex`` refuse a tensor of several with
# this message, and so does what calls them, such as :mod:`math` or ``%``-formatting.

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
# :meth:`torch.Tensor.item` has words of its own since torch 2.0. An empty tensor, which is what a mask
# that matches nothing leaves, has no element to convert.

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
# Say which number you mean: one of them, a reduction, or all of them as a list.

print(scores[0].item(), scores.mean().item())
# => 0.5 2.0
print(scores.tolist())
# => [0.5, 2.0, 3.5]

# %%
# For computing with all of them, use the torch function in place of the one of Python.

print(torch.sqrt(scores))
# => tensor([0.7071, 1.4142, 1.8708])

# %%
# Print the shape first if one element was expected. A model returns one value for each sample of the
# batch, and a loss with ``reduction="none"`` or gathered from several GPUs is a vector: take its
# mean before ``item()``.

loss = torch.nn.MSELoss(reduction="none")(scores, torch.zeros(3))
print(loss.shape, loss.mean().item())
# => torch.Size([3]) 5.5

# %%
# To put values into an array or a tensor, assign to as many places as there are values. An element
# of an array takes one.

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
# ``squeeze`` removes axes of length one, never elements. Moving or detaching does not change their
# number either.

try:
    float(scores.squeeze().detach().cpu())
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars

# %%
# NumPy refuses likewise, so a detour through it only changes the words.

try:
    scores.numpy().item()
except ValueError as error:
    print(error)
# => can only convert an array of size 1 to a Python scalar

# %%
# In a list given to :func:`torch.tensor` the remedy is another: stack it,
# :doc:`/gallery/13_errors/list_of_tensors`. Where an integer is wanted, as in a slice or ``range``,
# the message is :doc:`that of an index </gallery/13_errors/tensor_as_index>`.

print(torch.stack([scores, scores]).shape)
# => torch.Size([2, 3])
