"""
Gradients through NumPy code with torch.compile
===============================================

``torch.compile`` records gradients through NumPy calls that it translates, but the same function
raises ``RuntimeError`` uncompiled; call ``torch.sin``, or write the derivative yourself, to have both.
"""

# sphinx_gallery_tags = ["compile", "autograd", "silent"]

import numpy as np
import torch

# %%
# This function converts to NumPy and back. Without the compiler it raises for a tensor that
# requires gradients.


def sine(x):
    return torch.from_numpy(np.sin(x.numpy()))


x = torch.zeros(2, requires_grad=True)
try:
    sine(x)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# Compiled, the same function has a gradient. The compiler `replaces NumPy calls by torch operations
# <https://github.com/pytorch/pytorch/pull/106211>`__, which autograd records.

compiled = torch.compile(sine, backend="eager", fullgraph=True)
compiled(x).sum().backward()
print(x.grad)
# => tensor([1., 1.])

# %%
# The function works while it is compiled: if you switch the compiler off to debug, the error
# returns. With ``detach`` it runs in both cases, and has no gradient in either.


def detached_sine(x):
    return torch.from_numpy(np.sin(x.detach().numpy()))


print(detached_sine(x).requires_grad)
# => False
print(torch.compile(detached_sine, backend="eager", fullgraph=True)(x).requires_grad)
# => False

# %%
# If you need the gradient with and without the compiler, call ``torch.sin``, or write the
# derivative of the NumPy code as in :doc:`/gallery/10_autograd/numpy_function`.


def torch_sine(x):
    return torch.sin(x)


print(torch_sine(x).requires_grad)
# => True

# %%
# Writes differ, too. This function changes a factor through NumPy after using it. Without the
# compiler it returns the gradient for the changed factor, without an error.


def overwritten(weight, factor):
    product = (weight * factor).sum()
    factor.numpy()[0] = 1000
    return product


weight = torch.ones(1, requires_grad=True)
overwritten(weight, torch.tensor([3.0])).backward()
print(weight.grad)
# => tensor([1000.])

# %%
# Compiled, the write is a torch operation, so autograd detects it and raises. See
# :doc:`/gallery/10_autograd/silent_gradient` for the cause and the fix.

compiled = torch.compile(overwritten, backend="eager", fullgraph=True)
try:
    compiled(weight, torch.tensor([3.0])).backward()
except RuntimeError as error:
    print(str(error).split(":")[0])
# => one of the variables needed for gradient computation has been modified by an inplace operation
