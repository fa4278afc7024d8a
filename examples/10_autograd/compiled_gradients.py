"""
Gradients through NumPy code with torch.compile
===============================================

``torch.compile`` records gradients through NumPy calls, but the same function raises
``RuntimeError`` uncompiled; call ``torch.sin``, or write the derivative yourself, to have both.
"""

# sphinx_gallery_tags = ["compile", "autograd", "silent"]

import numpy as np
import torch

# %%
# A step through NumPy and back. Run without the compiler, it refuses a tensor that requires
# gradients.


def sine(x):
    return torch.from_numpy(np.sin(x.numpy()))


x = torch.zeros(2, requires_grad=True)
try:
    sine(x)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# Compiled, the same function has a gradient. There is no array in it any more: the compiler `traces
# NumPy as torch operations <https://github.com/pytorch/pytorch/pull/106211>`__, and those are
# recorded.

compiled = torch.compile(sine, backend="eager", fullgraph=True)
compiled(x).sum().backward()
print(x.grad)
# => tensor([1., 1.])

# %%
# So the function works only while it is compiled: switching the compiler off to debug brings the
# error back. ``detach`` means the same in both worlds, and ends the gradient in both.


def detached_sine(x):
    return torch.from_numpy(np.sin(x.detach().numpy()))


print(detached_sine(x).requires_grad)
# => False
print(torch.compile(detached_sine, backend="eager", fullgraph=True)(x).requires_grad)
# => False

# %%
# Code that needs the gradient with and without the compiler calls ``torch.sin``, or gives the
# NumPy code a derivative as in :doc:`/gallery/10_autograd/numpy_function`.


def torch_sine(x):
    return torch.sin(x)


print(torch_sine(x).requires_grad)
# => True

# %%
# The second difference is a write. This function changes a factor through NumPy after it was used.
# Run without the compiler, it returns the gradient for the changed factor, and nothing says so.


def overwritten(weight, factor):
    product = (weight * factor).sum()
    factor.numpy()[0] = 1000
    return product


weight = torch.ones(1, requires_grad=True)
overwritten(weight, torch.tensor([3.0])).backward()
print(weight.grad)
# => tensor([1000.])

# %%
# Compiled, the write is an operation of torch, and the version counter sees it. See
# :doc:`/gallery/10_autograd/silent_gradient` for the cause and the remedy.

compiled = torch.compile(overwritten, backend="eager", fullgraph=True)
try:
    compiled(weight, torch.tensor([3.0])).backward()
except RuntimeError as error:
    print(str(error).split(":")[0])
# => one of the variables needed for gradient computation has been modified by an inplace operation
