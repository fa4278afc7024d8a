"""
Why every array in my list shows the last value
===============================================

A list of ``tensor.numpy()`` results shows the last value several times, because the arrays share
the memory of the one tensor. Append ``tensor.numpy().copy()`` instead.
"""

# sphinx_gallery_tags = ["sharing", "copy", "autograd"]

import numpy as np
import torch

# %%
# Each entry of this list was meant to hold the state after one step. But the entries are views of
# the same memory, so they show the last state.

position = torch.zeros(2)
history = []
for step in range(3):
    position += 1
    history.append(position.numpy())
print(history)
# => [array([3., 3.], dtype=float32), array([3., 3.], dtype=float32), array([3., 3.], dtype=float32)]

# %%
# The entries are different objects, so ``is`` gives ``False``. :func:`numpy.shares_memory` shows
# that they overlap.

print(history[0] is history[-1])
# => False
print(np.shares_memory(history[0], history[-1]))
# => True

# %%
# Copy each value before you append it. A copy made later, when the list is read, is too late.

position = torch.zeros(2)
history = []
for step in range(3):
    position += 1
    history.append(position.numpy().copy())
print(history)
# => [array([1., 1.], dtype=float32), array([2., 2.], dtype=float32), array([3., 3.], dtype=float32)]

# %%
# This loop rebinds the name, and the list is right, because each step makes a new tensor. It breaks
# as soon as the update becomes an in-place one. See :doc:`/gallery/02_tensor_to_numpy/rebinding`.

position = torch.zeros(2)
history = []
for step in range(3):
    position = position + 1
    history.append(position.numpy())
print(history)
# => [array([1., 1.], dtype=float32), array([2., 2.], dtype=float32), array([3., 3.], dtype=float32)]

# %%
# The optimizer updates the parameter in place, so ``detach().numpy()`` in a training loop collects
# views of the same parameter. The gradient is set by hand here to keep the loop short.

weight = torch.nn.Parameter(torch.tensor([1.0]))
weight.grad = torch.ones(1)
optimizer = torch.optim.SGD([weight], lr=0.25)
history = []
for step in range(3):
    optimizer.step()
    history.append(weight.detach().numpy())
print(np.concatenate(history))
# => [0.25 0.25 0.25]

# %%
# If you need only numbers, ``item`` and ``tolist`` return Python numbers, which share no memory:
# :doc:`/gallery/02_tensor_to_numpy/single_value`.

position = torch.zeros(2)
totals = []
for step in range(3):
    position += 1
    totals.append(position.sum().item())
print(totals)
# => [2.0, 4.0, 6.0]
