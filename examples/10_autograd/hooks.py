"""
NumPy in a gradient hook
========================

Change a copy of ``gradient.numpy()`` and return it from the hook as a tensor of the same dtype;
writing into the gradient itself can change other gradients.
"""

# sphinx_gallery_tags = ["autograd", "hooks", "silent", "error"]

import torch

# %%
# A hook receives the gradient as a tensor that requires none, so ``numpy()`` works in it, unless
# the backward pass is itself recorded with ``create_graph=True``. A hook that only looks returns
# nothing.

norms = []
weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: norms.append(float((gradient.numpy() ** 2).sum())))
(3 * weight).sum().backward()
print(norms, weight.grad)
# => [18.0] tensor([3., 3.])

# %%
# What a hook returns replaces the gradient, and it has to be a tensor. An array is refused in the
# middle of the backward pass.

weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: gradient.numpy().clip(-1, 1))
try:
    (3 * weight).sum().backward()
except TypeError as error:
    print(error)
# => expected Variable, but hook returned 'numpy.ndarray'

# %%
# :func:`torch.from_numpy` makes it one.

weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: torch.from_numpy(gradient.numpy().clip(-1, 1)))
(3 * weight).sum().backward()
print(weight.grad)
# => tensor([1., 1.])

# %%
# The dtype must stay. ``float64`` comes in easily, from an operation with another array.

weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: torch.from_numpy(gradient.numpy().astype("float64")))
try:
    (3 * weight).sum().backward()
except RuntimeError as error:
    print(error)
# => hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)

# %%
# Writing into the gradient is what the documentation of :meth:`torch.Tensor.register_hook` `forbids
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.register_hook.html>`__. An addition
# passes one gradient on to both of its inputs: a hook of the first changes that of the second.


def zero_first(gradient):
    gradient.numpy()[0] = 0


left = torch.ones(3, requires_grad=True)
right = torch.ones(3, requires_grad=True)
left.register_hook(zero_first)
(left + right).backward(torch.ones(3))
print(right.grad)
# => tensor([0., 1., 1.])

# %%
# And the gradient of a sum is one number, expanded with stride zero. A write to one element is a
# write to all.

left = torch.ones(3, requires_grad=True)
left.register_hook(zero_first)
left.sum().backward()
print(left.grad)
# => tensor([0., 0., 0.])

# %%
# A copy makes the write local. The hook then returns it, as a tensor.


def zero_first_of_copy(gradient):
    array = gradient.numpy().copy()
    array[0] = 0
    return torch.from_numpy(array)


left = torch.ones(3, requires_grad=True)
left.register_hook(zero_first_of_copy)
(left + right).sum().backward()
print(left.grad)
# => tensor([0., 1., 1.])
