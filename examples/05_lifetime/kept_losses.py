"""
Memory grows when outputs are kept in a list
============================================

A loss or an output that is kept holds its whole graph, with every input saved in it: keep
``loss.item()`` or ``output.detach()`` instead, on the CPU.
"""

# sphinx_gallery_tags = ["lifetime", "memory", "autograd", "leak", "list"]

import weakref

import numpy as np
import torch

# %%
# A batch is freed when nothing refers to it. A weak reference to the array under the tensor tells
# whether that has happened.

weight = torch.ones(3, requires_grad=True)
alive = []


def load_batch():
    batch = np.ones(3, dtype=np.float32)
    alive.append(weakref.ref(batch))
    return torch.from_numpy(batch)


def count_batches():
    count = sum(reference() is not None for reference in alive)
    alive.clear()
    return count


# %%
# The loss is one number, but the multiplication saved its input for the backward pass. Three losses
# in a list keep three batches, on a GPU as here.

losses = [(weight * load_batch()).sum() for _ in range(3)]
print(count_batches())
# => 3

# %%
# ``item()`` gives a Python number that refers to nothing. ``detach()`` gives a tensor without the
# graph, for outputs of several elements; add ``cpu()`` where they would fill the GPU.

losses = [(weight * load_batch()).sum().item() for _ in range(3)]
print(count_batches())
# => 0
outputs = [(weight * load_batch()).detach().cpu() for _ in range(3)]
print(count_batches())
# => 0

# %%
# A running total is the same list in disguise: each ``+`` adds to one graph that grows.

total = torch.zeros(())
for _ in range(3):
    total = total + (weight * load_batch()).sum()
print(count_batches())
# => 3

# %%
# Where no gradient is wanted, record none. Under :class:`torch.no_grad` nothing is saved, and whole
# outputs may be kept at their own size.

with torch.no_grad():
    outputs = [weight * load_batch() for _ in range(3)]
print(count_batches())
# => 0

# %%
# ``backward()`` frees what the graph has saved, so a loss kept after it costs little. It is the
# evaluation loop, which calls no ``backward``, where the memory grows.

losses = []
for _ in range(3):
    loss = (weight * load_batch()).sum()
    loss.backward()
    losses.append(loss)
print(count_batches())
# => 0

# %%
# ``del`` removes a name, and frees the memory only if it was the last. The list still holds the
# loss here, and the loss its batch.

losses = [(weight * load_batch()).sum()]
loss = losses[0]
del loss
print(sum(reference() is not None for reference in alive))
# => 1
losses.clear()
print(count_batches())
# => 0
