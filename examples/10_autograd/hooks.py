"""
NumPy in a gradient hook
========================

Change a copy of ``gradient.numpy()`` and return it from the hook as a tensor of the same dtype;
writing into the gradient itself can change other gradients.
"""

# sphinx_gallery_tags = ["autograd", "hooks", "silent", "error"]

import torch

# %%
# This hook receives the gradient as a tensor that does not require gradients itself, so ``numpy()``
# works on it. With ``create_graph=True`` it may require them, and then ``numpy()`` raises. A hook
# that reads the gradient need not return one; this one returns ``None``.

norms = []
weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: norms.append(float((gradient.numpy() ** 2).sum())))
(3 * weight).sum().backward()
print(norms, weight.grad)
# => [18.0] tensor([3., 3.])

# %%
# A value that the hook returns replaces the gradient and has to be a tensor. Returning an array
# raises during the backward pass.

weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: gradient.numpy().clip(-1, 1))
try:
    (3 * weight).sum().backward()
except TypeError as error:
    print(error)
# => expected Variable, but hook returned 'numpy.ndarray'

# %%
# Convert the array with :func:`torch.from_numpy`.

weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: torch.from_numpy(gradient.numpy().clip(-1, 1)))
(3 * weight).sum().backward()
print(weight.grad)
# => tensor([1., 1.])

# %%
# A hook that changes the dtype raises. An operation with another array easily changes it to
# ``float64``.

weight = torch.ones(2, requires_grad=True)
weight.register_hook(lambda gradient: torch.from_numpy(gradient.numpy().astype("float64")))
try:
    (3 * weight).sum().backward()
except RuntimeError as error:
    print(error)
# => hook '<lambda>' has changed the type of value (was torch.FloatTensor got torch.DoubleTensor)

# %%
# Do not write into the gradient in a hook: the documentation of :meth:`torch.Tensor.register_hook`
# `forbids it <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.register_hook.html>`__.
# Here the addition passes the same gradient to both inputs, so the hook on ``left`` changes the
# gradient of ``right``.


def zero_first(gradient):
    gradient.numpy()[0] = 0


left = torch.ones(3, requires_grad=True)
right = torch.ones(3, requires_grad=True)
left.register_hook(zero_first)
(left + right).backward(torch.ones(3))
print(right.grad)
# => tensor([0., 1., 1.])

# %%
# The gradient of this sum is one number, expanded with stride zero. Writing to one element changes
# the others.

left = torch.ones(3, requires_grad=True)
left.register_hook(zero_first)
left.sum().backward()
print(left.grad)
# => tensor([0., 0., 0.])

# %%
# Write to a copy, and return the copy as a tensor.


def zero_first_of_copy(gradient):
    array = gradient.numpy().copy()
    array[0] = 0
    return torch.from_numpy(array)


left = torch.ones(3, requires_grad=True)
left.register_hook(zero_first_of_copy)
(left + right).sum().backward()
print(left.grad)
# => tensor([0., 1., 1.])
