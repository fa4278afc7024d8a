"""
Writing to a shared array gives a wrong gradient
================================================

Writing to a shared array before ``backward()`` gives a wrong gradient and no error: ``clone`` the
tensor before the forward pass, or report the write with ``increment_version``.
"""

# sphinx_gallery_tags = ["autograd", "sharing", "silent"]

import torch

# %%
# To differentiate a product, autograd keeps its factors: not copies, but the tensors themselves.
# The gradient with respect to ``weight`` is ``factor``.

factor = torch.tensor([3.0])
weight = torch.tensor([2.0], requires_grad=True)
(weight * factor).sum().backward()
print(weight.grad)
# => tensor([3.])

# %%
# Between the two passes the array that shares memory with ``factor`` is changed, for instance
# because a loop reuses its buffer for the next batch. The result of the forward pass is the old
# one, the gradient belongs to a product that was never computed, and no error tells.

array = factor.numpy()
weight.grad = None
product = (weight * factor).sum()
array[0] = 1000
product.backward()
print(product.item(), weight.grad)
# => 6.0 tensor([1000.])

# %%
# The same write by torch is caught. Every tensor has a `version counter
# <https://docs.pytorch.org/docs/stable/notes/autograd.html#in-place-correctness-checks>`__, which
# in-place operations increase and ``backward`` compares with its value at the time of saving.

product = (weight * factor).sum()
factor.fill_(3)
try:
    product.backward()
except RuntimeError as error:
    print(error)
# => one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [1]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).

# %%
# NumPy knows nothing of that counter. It moves with a write by torch, and stands still while the
# array changes the very same memory.

before = factor._version
array[0] = 5
print(factor._version - before)
# => 0
factor.add_(1)
print(factor._version - before)
# => 1

# %%
# The results of an operation can be hit as well: ``exp`` keeps its output, because the output is
# its own derivative.

weight.grad = None
power = weight.exp()
power.detach().numpy()[0] = 0
power.sum().backward()
print(weight.grad)
# => tensor([0.])

# %%
# The safe form gives the two sides separate memory. A copy for NumPy, or a clone for the graph,
# before the forward pass.

weight.grad = None
factor = torch.tensor([3.0])
product = (weight * factor.clone()).sum()
factor.numpy()[0] = 1000
product.backward()
print(weight.grad)
# => tensor([3.])

# %%
# Where a copy is too expensive, announce the write:
# :func:`torch.autograd.graph.increment_version` moves the counter, and the check works again.

product = (weight * factor).sum()
factor.numpy()[0] = 7
torch.autograd.graph.increment_version(factor)
try:
    product.backward()
except RuntimeError as error:
    print(str(error).split(":")[0])
# => one of the variables needed for gradient computation has been modified by an inplace operation
