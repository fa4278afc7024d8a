"""
Second derivatives through NumPy code
=====================================

For second derivatives write ``backward`` in torch operations and test it with ``gradgradcheck``;
NumPy behind ``detach`` gives a wrong second derivative without an error.
"""

# sphinx_gallery_tags = ["autograd", "functions", "silent", "error"]

import torch
from torch.autograd.function import once_differentiable

# %%
# The cube, with a backward pass in NumPy. With ``create_graph=True`` torch runs it on tensors that
# are recorded, and :meth:`torch.Tensor.numpy` refuses those.


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
# The message recommends ``detach``, and here that is a trap: the code runs, and for the second
# derivative the NumPy part counts as a constant. `Issue 76185
# <https://github.com/pytorch/pytorch/issues/76185>`__ is about such losses.


class DetachedCube(Cube):
    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * torch.from_numpy(3 * x.detach().numpy() ** 2)


# %%
# The second derivative of ``x**3 + x**2`` is ``6 * x + 2``. The first comes out right; of the
# second only the part of ``x**2`` is there.

y = DetachedCube.apply(x) + x**2
(first,) = torch.autograd.grad(y, x, create_graph=True)
(second,) = torch.autograd.grad(first, x)
print(first.item(), second.item())
# => 16.0 2.0

# %%
# The decorator :func:`torch.autograd.function.once_differentiable` promises an error instead. It
# `looks only at the incoming gradient
# <https://github.com/pytorch/pytorch/blob/main/torch/autograd/function.py>`__, not at what was
# saved, so here the wrong number still comes out.


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
# A product makes the incoming gradient depend on ``x``. Then ``backward`` raises, which visits the
# whole graph. :func:`torch.autograd.grad` visits only what leads to ``x``, and the marker does
# not. For ``x**3 * x`` it returns only a part of ``12 * x**2``, still without an error.

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
# So if nobody needs second derivatives, leave ``detach`` and decorator out: the first version on
# this page is the one that never misleads. Otherwise write the backward pass in torch operations,
# and test it with :func:`torch.autograd.gradgradcheck`.


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
