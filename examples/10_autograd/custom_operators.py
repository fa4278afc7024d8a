"""
NumPy code as a torch.library.custom_op
=======================================

Wrap NumPy code with ``torch.library.custom_op``, then add ``register_fake`` for the compiler and
export, and ``register_autograd`` for the gradient.
"""

# sphinx_gallery_tags = ["compile", "export", "autograd", "functions", "error"]

import numpy as np
import torch

# %%
# :func:`torch.library.custom_op` makes a function an operator of torch. Its inside stays hidden,
# so it may use any of NumPy; the annotations tell torch what goes in and out.


@torch.library.custom_op("atlas::length", mutates_args=())
def length(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.hypot(x.numpy(), 1))


x = torch.tensor([0.75])
print(length(x))
# => tensor([1.2500])

# %%
# The compiler and export call it on tensors without values, and ask for a function that makes a
# result of the right shape and dtype.


class Model(torch.nn.Module):
    def forward(self, x):
        return length(x)


try:
    torch.export.export(Model(), (x,), strict=False)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => There was no fake impl registered for <CustomOpDef(atlas::length)>
length.register_fake(torch.empty_like)
program = torch.export.export(Model(), (x,), strict=False)
print("atlas.length.default" in [str(node.target) for node in program.graph.nodes])
# => True

# %%
# A gradient is not invented either. Without a formula the backward pass raises, where ``detach``
# would have gone on without that part.

x.requires_grad_()
try:
    length(x).backward()
except RuntimeError as error:
    print(error)
# => Trying to backward through atlas.length.default but no autograd formula was registered. Please use register_autograd to add one.

# %%
# ``register_autograd`` takes the formula, and a function that saves what it needs: argument and
# result, here.


def save(ctx, inputs, output):
    ctx.save_for_backward(*inputs, output)


def differentiate(ctx, gradient):
    x, result = ctx.saved_tensors
    return gradient * x / result


length.register_autograd(differentiate, setup_context=save)
length(x).backward()
print(x.grad)
# => tensor([0.6000])
print(torch.compile(length, backend="eager", fullgraph=True)(x).detach())
# => tensor([1.2500])

# %%
# The declaration makes two promises: no argument is changed, and no result shares memory with one.
# NumPy breaks both easily. :func:`torch.library.opcheck` finds a broken first promise, and does not
# see that the result of ``leaky`` is its argument.


@torch.library.custom_op("atlas::careless", mutates_args=())
def careless(x: torch.Tensor) -> torch.Tensor:
    array = x.numpy()
    np.sin(array, out=array)
    return torch.from_numpy(array.copy())


@torch.library.custom_op("atlas::leaky", mutates_args=())
def leaky(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(x.numpy())


for operator in [careless, leaky, length]:
    result = torch.library.opcheck(
        operator, (torch.ones(2),), test_utils="test_schema", raise_exception=False
    )
    print(result["test_schema"])
# => Argument x is not defined as mutable but was mutated
# => SUCCESS
# => SUCCESS
