"""
NumPy in a torch.autograd.Function
==================================

Put NumPy code into a ``torch.autograd.Function`` whose ``forward`` and ``backward`` return tensors,
and check its derivative with ``torch.autograd.gradcheck`` in ``float64``.
"""

# sphinx_gallery_tags = ["autograd", "functions", "error"]

import numpy as np
import torch

# %%
# ``detach`` lets you call NumPy, but the gradient ends there: the result does not require
# gradients.

x = torch.tensor([0.0, 1.0], requires_grad=True)
print(torch.from_numpy(np.sin(x.detach().numpy())).requires_grad)
# => False

# %%
# A :class:`torch.autograd.Function` adds the derivative. torch normally does not record its
# ``forward`` and ``backward``, so :meth:`torch.Tensor.numpy` needs no ``detach`` there; for an
# exception see :doc:`/gallery/10_autograd/second_derivatives`. Both return tensors.


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.sin(x.numpy()))

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(gradient.numpy() * np.cos(x.numpy()))


Sine.apply(x).sum().backward()
print(torch.allclose(x.grad, torch.cos(x)))
# => True

# %%
# torch does not check your derivative. :func:`torch.autograd.gradcheck` compares it with finite
# differences. Use ``float64``: in ``float32`` even a correct derivative is likely to fail the
# check.

point = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(Sine.apply, point))
# => True

# %%
# With a wrong sign, training would run without an error but in the wrong direction. ``gradcheck``
# finds it.


class WrongSign(Sine):
    @staticmethod
    def backward(ctx, gradient):
        return -Sine.backward(ctx, gradient)


print(torch.autograd.gradcheck(WrongSign.apply, point, raise_exception=False))
# => False

# %%
# An array from ``backward`` raises.


class ArrayBackward(Sine):
    @staticmethod
    def backward(ctx, gradient):
        return Sine.backward(ctx, gradient).numpy()


try:
    ArrayBackward.apply(x).sum().backward()
except RuntimeError as error:
    print(error)
# => expected Variable or None (got numpy.ndarray)

# %%
# If ``forward`` returns an array, the call does not raise, but the gradient is lost: you get a
# plain array, although the input requires gradients.


class ArrayForward(Sine):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return np.sin(x.numpy())


print(type(ArrayForward.apply(x)))
# => <class 'numpy.ndarray'>

# %%
# If the input requires gradients, saving an array for the backward pass raises. Save the tensor, or
# store the array as an attribute of ``ctx``, where torch does not check whether it was changed.


class ArraySaved(Sine):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(np.cos(x.numpy()))


try:
    ArraySaved.apply(x)
except TypeError as error:
    print(error)
# => save_for_backward can only save variables, but argument 0 is of type numpy.ndarray
