"""
Why the array no longer follows the tensor: .data, set_()
=========================================================

Assigning to ``tensor.data``, ``set_``, and ``module.double()`` give a tensor new memory, and its
array keeps the old values. ``copy_`` and ``load_state_dict`` write in place, so the array follows.
"""

# sphinx_gallery_tags = ["lifetime", "storage", "modules", "sharing"]

import numpy as np
import torch

# %%
# A tensor object can be given other memory and stay the same object. An assignment to ``data`` does
# so. The array keeps the old memory, alive and unchanged, and no longer follows the tensor.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.data = torch.ones(3)
print(tensor, array)
# => tensor([1., 1., 1.]) [0. 0. 0.]
print(np.shares_memory(array, tensor.numpy()))
# => False

# %%
# :meth:`torch.Tensor.set_` is the same step as a method. Its underscore announces a change in
# place, but what changes is where the tensor looks, not what is there.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.set_(torch.ones(3))
print(tensor, array)
# => tensor([1., 1., 1.]) [0. 0. 0.]

# %%
# Writing into the memory is :meth:`torch.Tensor.copy_`. The array follows.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor.copy_(torch.ones(3))
print(array)
# => [1. 1. 1.]

# %%
# Modules assign to ``data`` when they change the dtype or the device of their parameters, `unless a
# global flag is set <https://github.com/pytorch/pytorch/pull/21613>`__. The parameter is the same
# object before and after, yet an array taken from it is out of date.

layer = torch.nn.Linear(2, 1)
weight = layer.weight
array = weight.detach().numpy()
layer.double()
print(layer.weight is weight, array.dtype, weight.dtype)
# => True float32 torch.float64

# %%
# The same call has nothing to do the second time, and then leaves the memory alone. Whether an
# array is still in step depends on the state in which the call found the module.

array = weight.detach().numpy()
layer.double()
print(np.shares_memory(array, weight.detach().numpy()))
# => True

# %%
# :meth:`torch.nn.Module.load_state_dict` copies into the existing memory, and the array shows the
# new values.

state = {"weight": torch.full((1, 2), 5.0), "bias": torch.zeros(1)}
layer.load_state_dict(state)
print(array)
# => [[5. 5.]]

# %%
# ``zero_grad`` `drops gradients by default
# <https://docs.pytorch.org/docs/stable/generated/torch.optim.Optimizer.zero_grad.html>`__ since
# PyTorch 2.0: an array of the gradient then keeps the values of the last step, where
# ``set_to_none=False`` writes zeros into it.

optimizer = torch.optim.SGD([weight], lr=0.1)
for set_to_none in [False, True]:
    weight.grad = torch.ones_like(weight)
    gradient = weight.grad.numpy()
    optimizer.zero_grad(set_to_none=set_to_none)
    print(gradient)
# => [[0. 0.]]
# => [[1. 1.]]

# %%
# Take the array anew after such calls, rather than once at the start. With ``assign=True``,
# ``load_state_dict`` puts in new parameters, and the old array is left behind.

layer.load_state_dict(state, assign=True)
print(np.shares_memory(array, layer.weight.detach().numpy()))
# => False
