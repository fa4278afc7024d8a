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
# :func:`torch.library.custom_op` turns a function into a torch operator. torch does not look
# inside, so the function may use NumPy. The annotations declare its inputs and outputs.


@torch.library.custom_op("atlas::length", mutates_args=())
def length(x: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(np.hypot(x.numpy(), 1))


x = torch.tensor([0.75])
print(length(x))
# => tensor([1.2500])

# %%
# The compiler and ``export`` call the operator with tensors that have no values. Register a
# function that returns a result of the right shape and dtype.


class Model(torch.nn.Module):
    def forward(self, x):
        return length(x)


try:
    torch.export.export(Model(), (x,), strict=False)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => There was no fake impl registered for <CustomOpDef(atlas::length)>
length.register_fake(torch.empty_like)
print("atlas.length.default" in str(torch.export.export(Model(), (x,), strict=False).graph))
# => True

# %%
# Without a formula for the gradient, the backward pass raises.

x.requires_grad_()
try:
    length(x).backward()
except RuntimeError as error:
    print(error)
# => Trying to backward through atlas.length.default but no autograd formula was registered. Please use register_autograd to add one.

# %%
# Give ``register_autograd`` the formula and a function that saves the tensors that the formula
# uses, here the argument and the result.


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
# ``mutates_args=()`` declares that the operator does not change its arguments. Its result may not
# share memory with them either. NumPy code easily breaks both rules. :func:`torch.library.opcheck`
# finds the changed argument of ``careless``, but not that ``leaky`` returns the memory of its
# argument.


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
