"""
Second derivatives through NumPy code
=====================================

For second derivatives write ``backward`` in torch operations and test it with ``gradgradcheck``;
NumPy behind ``detach`` can give a wrong second derivative without an error.
"""

# sphinx_gallery_tags = ["autograd", "functions", "silent", "error"]

import torch
from torch.autograd.function import once_differentiable

# %%
# This function computes the cube and has its backward pass in NumPy. With ``create_graph=True``
# torch records the backward pass, and :meth:`torch.Tensor.numpy` raises for the saved tensor, which
# requires gradients.


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(x.numpy() ** 3)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * torch.from_numpy(3 * x.numpy() ** 2)


x = torch.tensor([2.0], requires_grad=True)
try:
    torch.autograd.grad(Cube.apply(x), x, create_graph=True)
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# The message recommends ``detach``, which is wrong here: this call then runs, but the second
# derivative treats the NumPy part as a constant. `Issue 76185
# <https://github.com/pytorch/pytorch/issues/76185>`__ is about such losses.


class DetachedCube(Cube):
    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * torch.from_numpy(3 * x.detach().numpy() ** 2)


# %%
# The second derivative of ``x**3 + x**2`` is ``6 * x + 2``. The first derivative is right, but the
# second one is just the ``2`` from ``x**2``.

y = DetachedCube.apply(x) + x**2
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(first.item(), second.item())
# => 16.0 2.0

# %%
# The decorator :func:`torch.autograd.function.once_differentiable` should raise in such a case. But
# it `looks at the incoming gradient
# <https://github.com/pytorch/pytorch/blob/main/torch/autograd/function.py>`__, not at the saved
# tensors, so here you still get the wrong number.


class OnceCube(Cube):
    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        return Cube.backward(ctx, gradient)


y = OnceCube.apply(x) + x**2
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(first.item(), second.item())
# => 16.0 2.0

# %%
# In this product, the incoming gradient does depend on ``x``. ``first.backward()`` goes through the
# whole graph and raises. :func:`torch.autograd.grad` goes through the part that leads to ``x``,
# which does not reach the decorator's check. For ``x**3 * x`` it returns a part of ``12 * x**2``,
# without an error.

(first,) = torch.autograd.grad(OnceCube.apply(x) * x, x, create_graph=True)
(second,) = torch.autograd.grad(first, x, retain_graph=True)
print(first.item(), second.item())
# => 32.0 12.0
try:
    first.backward()
except RuntimeError as error:
    print(error)
# => trying to differentiate twice a function that was marked with @once_differentiable

# %%
# If you do not need second derivatives, leave out ``detach`` and the decorator, as in the first
# version on this page: it raises rather than return a wrong number. Otherwise write ``backward`` in
# torch operations, and test it with :func:`torch.autograd.gradgradcheck`.


class TorchBackward(Cube):
    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * 3 * x**2


y = TorchBackward.apply(x) + x**2
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(first.item(), second.item())
# => 16.0 14.0
print(torch.autograd.gradgradcheck(TorchBackward.apply, x.detach().double().requires_grad_()))
# => True
