"""
Why the array no longer follows the tensor: .data, set_()
=========================================================

Assigning to ``tensor.data``, ``set_``, and ``module.double()`` can give a tensor new memory; its
array then keeps the old values. ``copy_`` and ``load_state_dict`` write in place, so the array
changes too.
"""

# sphinx_gallery_tags = ["lifetime", "storage", "modules", "sharing"]

import numpy as np
import torch

# %%
# A tensor can get new memory and stay the same object, for example when you assign to ``data``. The
# array keeps the old memory with the old values, and no longer changes with the tensor.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.data = torch.ones(3)
print(tensor, array)
# => tensor([1., 1., 1.]) [0. 0. 0.]
print(np.shares_memory(array, tensor.numpy()))
# => False

# %%
# The method :meth:`torch.Tensor.set_` does the same. Despite the trailing underscore, it does not
# write into the memory: it makes the tensor use other memory.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.set_(torch.ones(3))
print(tensor, array)
# => tensor([1., 1., 1.]) [0. 0. 0.]

# %%
# :meth:`torch.Tensor.copy_` does write into the memory, so the array changes.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.copy_(torch.ones(3))
print(array)
# => [1. 1. 1.]

# %%
# A module assigns to ``data`` when you change the dtype of its parameters,
# `unless a global flag is set <https://github.com/pytorch/pytorch/pull/21613>`__. The parameter is
# still the same object, but an array made from it before no longer shares memory.

layer = torch.nn.Linear(2, 1)
weight = layer.weight
array = weight.detach().numpy()
layer.double()
print(layer.weight is weight, array.dtype, weight.dtype)
# => True float32 torch.float64

# %%
# If you repeat the call, the dtype already fits, and the memory stays the same. So whether an array
# still shares memory depends on the dtype that the module had before the call.

array = weight.detach().numpy()
layer.double()
print(np.shares_memory(array, weight.detach().numpy()))
# => True

# %%
# :meth:`torch.nn.Module.load_state_dict` copies into the existing memory, so the array shows the
# new values.

state = {"weight": torch.full((1, 2), 5.0), "bias": torch.zeros(1)}
layer.load_state_dict(state)
print(array)
# => [[5. 5.]]

# %%
# In torch 2, ``zero_grad`` `sets gradients to None
# <https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html>`__. An array
# of the gradient then keeps its old values. With ``set_to_none=False`` it shows zeros.

optimizer = torch.optim.SGD([weight], lr=0.1)
for set_to_none in [False, True]:
    weight.grad = torch.ones_like(weight)
    gradient = weight.grad.numpy()
    optimizer.zero_grad(set_to_none=set_to_none)
    print(gradient)
# => [[0. 0.]]
# => [[1. 1.]]

# %%
# Make a new array after such calls. ``load_state_dict`` with ``assign=True`` also replaces the
# parameters, and the old array no longer shares memory with them.

layer.load_state_dict(state, assign=True)
print(np.shares_memory(array, layer.weight.detach().numpy()))
# => False
