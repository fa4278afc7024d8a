"""
UserWarning: Converting a tensor with requires_grad=True to a scalar
====================================================================

``float()``, or a function such as ``math.exp``, turns a tensor that requires grad into a plain
number without a gradient.

.. fix::

   - float(weight)
   - math.exp(weight)
   + weight.item()
   + weight.exp()

**Safe to ignore** if you only log the number. In a loss, the gradient lacks a part.
"""

# sphinx_gallery_tags = ["autograd", "scalar", "warning"]

import math
import warnings

import torch

# %%
# The error
# ---------
#
# ``float()`` turns a tensor into a Python number, which has no gradient. That is right for a log
# and wrong inside a loss, so torch warns since 2.8 (`pull request 143261
# <https://github.com/pytorch/pytorch/pull/143261>`__). ``math.exp`` calls
# ``float()`` itself.

weight = torch.tensor(2.0, requires_grad=True)
print(float(weight))
# => 2.0
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.
print(math.exp(weight))
# => 7.38905609893065
# => UserWarning: Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior. Consider using tensor.detach() first.

# %%
# The fix
# -------
#
# For a log, call ``item()``, which does not warn, or ``detach()`` first.

print(weight.item(), float(weight.detach()))
# => 2.0 2.0

# %%
# In a loss, call the torch function instead of the one from :mod:`math`.

loss = weight.exp() * weight
loss.backward()
print(weight.grad)
# => tensor(22.1672)

# %%
# Join several such tensors with :func:`torch.stack`, not with :func:`torch.tensor`
# (:doc:`/gallery/13_errors/list_of_tensors`).

print(torch.stack([weight, weight]).requires_grad)
# => True

# %%
# What does not help
# ------------------
#
# A filter hides the problem. The gradient lacks the part that went through :mod:`math`; compare it
# with the one above.

weight.grad = None
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    loss = math.exp(weight) * weight
loss.backward()
print(weight.grad)
# => tensor(7.3891)

# %%
# ``item()`` in a loss is the same mistake without a warning.

weight.grad = None
loss = math.exp(weight.item()) * weight
loss.backward()
print(weight.grad)
# => tensor(7.3891)

# %%
# Making a new tensor from the number does not restore the graph. The new tensor is a leaf, and its
# gradient does not reach the weight.

weight.grad = None
again = torch.tensor(float(weight.detach()), requires_grad=True)
again.exp().backward()
print(again.is_leaf, weight.grad)
# => True None
