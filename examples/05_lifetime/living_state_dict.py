"""
state_dict is not a copy: how to save the best weights
======================================================

``state_dict()`` and its arrays share memory with the model, so training overwrites the best
weights. Save ``copy.deepcopy(model.state_dict())`` or ``value.numpy().copy()`` instead.
"""

# sphinx_gallery_tags = ["modules", "sharing", "copy", "silent"]

import copy

import numpy as np
import torch

# %%
# :meth:`torch.nn.Module.state_dict` returns the module's tensors, by default detached, but not
# copied. Arrays made from them share memory with the weights, so training changes them.

model = torch.nn.Linear(2, 1)
torch.nn.init.zeros_(model.weight)
best = {name: value.numpy() for name, value in model.state_dict().items()}
with torch.no_grad():
    model.weight += 1
print(best["weight"])
# => [[1. 1.]]

# %%
# The dictionary itself has the same problem. Restoring the "best" weights copies the current
# weights onto themselves; `the tutorial
# <https://docs.pytorch.org/tutorials/beginner/saving_loading_models.html>`__ warns about this.

best = model.state_dict()
with torch.no_grad():
    model.weight += 1
model.load_state_dict(best)
print(model.weight)
# => Parameter containing:
# => tensor([[2., 2.]], requires_grad=True)

# %%
# A shallow copy does not help either: it is a new dictionary with the same tensors.

shallow = copy.copy(model.state_dict())
print(shallow["weight"].data_ptr() == model.weight.data_ptr())
# => True

# %%
# Copy the values, as arrays or as tensors.

arrays = {name: value.numpy().copy() for name, value in model.state_dict().items()}
tensors = copy.deepcopy(model.state_dict())
with torch.no_grad():
    model.weight += 1
print(arrays["weight"], tensors["weight"])
# => [[2. 2.]] tensor([[2., 2.]])

# %%
# To restore from arrays, convert them to tensors. By default ``load_state_dict`` copies the values
# into the parameters, so the arrays do not change with later training.

model.load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()})
print(model.weight)
# => Parameter containing:
# => tensor([[2., 2.]], requires_grad=True)
print(np.shares_memory(arrays["weight"], model.weight.detach().numpy()))
# => False

# %%
# Buffers change without an optimizer. This batch normalisation counts its forward passes in
# training mode, and the array shows the new count.

norm = torch.nn.BatchNorm1d(2)
counter = norm.state_dict()["num_batches_tracked"].numpy()
norm(torch.zeros(4, 2))
print(counter)
# => 1

# %%
# An optimizer's ``state_dict`` works in the same way: here it contains the momentum buffer itself,
# not a copy.

weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=1.0, momentum=1.0)
weight.grad = torch.ones(1)
optimizer.step()
momentum = optimizer.state_dict()["state"][0]["momentum_buffer"].numpy()
optimizer.step()
print(momentum)
# => [2.]
