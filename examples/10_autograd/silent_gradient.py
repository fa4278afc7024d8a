"""
Writing to a shared array gives a wrong gradient
================================================

Writing to a shared array before ``backward()`` can give a wrong gradient without an error:
``clone`` the tensor before the forward pass, or report the write with ``increment_version``.
"""

# sphinx_gallery_tags = ["autograd", "sharing", "silent"]

import torch

# %%
# To differentiate this product, autograd keeps ``factor`` itself, not a copy: it is the gradient
# with respect to ``weight``.

factor = torch.tensor([3.0])
weight = torch.tensor([2.0], requires_grad=True)
(weight * factor).sum().backward()
print(weight.grad)
# => tensor([3.])

# %%
# Here the array that shares memory with ``factor`` changes between the forward and the backward
# pass, as when a loop reuses a buffer for the next batch. The product was computed with the old
# factor, the gradient with the new one, without an error.

array = factor.numpy()
weight.grad = None
product = (weight * factor).sum()
array[0] = 1000
product.backward()
print(product.item(), weight.grad)
# => 6.0 tensor([1000.])

# %%
# If torch writes to ``factor`` itself, ``backward`` raises. The tensor has a `version
# counter <https://docs.pytorch.org/docs/stable/notes/autograd.html#in-place-correctness-checks>`__,
# which ``fill_`` increases. ``backward`` compares it with the value at the time of saving.

product = (weight * factor).sum()
factor.fill_(3)
try:
    product.backward()
except RuntimeError as error:
    print(error)
# => one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).

# %%
# NumPy does not update that counter. Writing through the array leaves it unchanged; an in-place
# torch operation on ``factor`` or a slice of it increases it. A second tensor made from the array
# has a counter of its own.

before = factor._version
array[0] = 5
print(factor._version - before)
# => 0
factor.add_(1)
print(factor._version - before)
# => 1

# %%
# Autograd may also keep the result of an operation: ``exp`` saves its output, because the
# derivative of ``exp`` equals its output.

weight.grad = None
power = weight.exp()
power.detach().numpy()[0] = 0
power.sum().backward()
print(weight.grad)
# => tensor([0.])

# %%
# To be safe, keep the memory separate. For ``factor``, copy the array for NumPy or clone the tensor
# for autograd before the forward pass. For a result such as ``power``, write to a copy of its
# array.

weight.grad = None
factor = torch.tensor([3.0])
product = (weight * factor.clone()).sum()
factor.numpy()[0] = 1000
product.backward()
print(weight.grad)
# => tensor([3.])

# %%
# If a copy is too expensive, call :func:`torch.autograd.graph.increment_version` on the tensor of
# the forward pass after the write: the counter grows, so ``backward`` raises.

product = (weight * factor).sum()
factor.numpy()[0] = 7
torch.autograd.graph.increment_version(factor)
try:
    product.backward()
except RuntimeError as error:
    print(str(error).split(":")[0])
# => one of the variables needed for gradient computation has been modified by an inplace operation
