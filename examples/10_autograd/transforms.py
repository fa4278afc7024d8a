"""
NumPy code under vmap and torch.func.grad
=========================================

``numpy()`` raises ``RuntimeError`` on the tensors of ``torch.func.vmap`` and ``torch.func.grad``:
wrap NumPy code in a ``torch.autograd.Function`` with ``setup_context`` and a ``vmap`` method.
"""

# sphinx_gallery_tags = ["autograd", "vmap", "functions", "error"]

import numpy as np
import torch

# %%
# This function of one tensor uses NumPy.


def sine(x):
    return torch.from_numpy(np.sin(x.detach().numpy()))


print(sine(torch.zeros(2)))
# => tensor([0., 0.])

# %%
# :func:`torch.func.vmap` and :func:`torch.func.grad` call the function with a tensor that has a
# shape but no memory of its own, so NumPy has no memory to read.

try:
    torch.func.vmap(sine)(torch.zeros(2))
except RuntimeError as error:
    print(error)
# => Cannot access data pointer of Tensor that doesn't have storage
try:
    torch.func.grad(lambda x: sine(x).sum())(torch.zeros(2))
except RuntimeError as error:
    print(error)
# => Cannot access data pointer of Tensor that doesn't have storage

# %%
# ``force=True`` does not help. Under ``vmap``, ``np.sin`` called on the tensor raises the same
# error.

for attempt in [lambda x: torch.from_numpy(x.numpy(force=True)), np.sin]:
    try:
        torch.func.vmap(attempt)(torch.zeros(2))
    except RuntimeError as error:
        print(error)
# => Cannot access data pointer of Tensor that doesn't have storage
# => Cannot access data pointer of Tensor that doesn't have storage

# %%
# An array that does not depend on the argument is a constant. Convert it with ``from_numpy``,
# because ``x * table`` would raise.

table = np.array([1.0, 2.0], dtype=np.float32)
print(torch.func.grad(lambda x: (x * torch.from_numpy(table)).sum())(torch.zeros(2)))
# => tensor([1., 2.])

# %%
# For other NumPy code, write a :class:`torch.autograd.Function` in `the form with setup_context
# <https://docs.pytorch.org/docs/stable/notes/extending.func.html>`__. Its ``forward`` gets real
# tensors. Its ``vmap`` computes a batch; for an elementwise function, this is the same call.


class Sine(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.from_numpy(np.sin(x.numpy()))

    @staticmethod
    def setup_context(ctx, inputs, _output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * torch.cos(x)

    @staticmethod
    def vmap(_info, in_dims, x):
        return Sine.apply(x), in_dims[0]


print(torch.func.vmap(Sine.apply)(torch.zeros(2)))
# => tensor([0., 0.])
print(torch.func.grad(lambda x: Sine.apply(x).sum())(torch.zeros(2)))
# => tensor([1., 1.])

# %%
# You can combine the transforms, here to get one derivative per element.

print(torch.func.vmap(torch.func.grad(Sine.apply))(torch.zeros(3)))
# => tensor([1., 1., 1.])
