"""
Memory grows when outputs are kept in a list
============================================

If you keep a loss or an output through which ``backward()`` has not run, you keep its graph and the
inputs saved in it. Keep ``loss.item()`` or ``output.detach()`` instead, on the CPU.
"""

# sphinx_gallery_tags = ["lifetime", "memory", "autograd", "leak", "list"]

import weakref

import numpy as np
import torch

# %%
# A batch is freed with its last reference. A weak reference to the tensor's array shows whether
# that has happened.

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
# The loss is one number, but the multiplication saved its input for the backward pass. Here three
# losses in a list keep three batches alive.

losses = [(weight * load_batch()).sum() for _ in range(3)]
print(count_batches())
# => 3

# %%
# ``item()`` returns a Python number, which does not keep the graph alive. For outputs with several
# elements, ``detach()`` returns a tensor without the graph; add ``cpu()`` if the outputs would fill
# the GPU.

losses = [(weight * load_batch()).sum().item() for _ in range(3)]
print(count_batches())
# => 0
outputs = [(weight * load_batch()).detach().cpu() for _ in range(3)]
print(count_batches())
# => 0

# %%
# A running total has the same problem: each ``+`` makes the graph longer.

total = torch.zeros(())
for _ in range(3):
    total = total + (weight * load_batch()).sum()
print(count_batches())
# => 3

# %%
# If you need no gradient, do not record one. Inside :class:`torch.no_grad` the multiplication does
# not save its input, so the outputs in the list do not keep the batches.

with torch.no_grad():
    outputs = [weight * load_batch() for _ in range(3)]
print(count_batches())
# => 0

# %%
# By default ``backward()`` frees what the graph saved, so the losses below keep no batch. An
# evaluation loop does not call ``backward``, so without ``no_grad`` the outputs that it keeps hold
# their batches.

losses = []
for _ in range(3):
    loss = (weight * load_batch()).sum()
    loss.backward()
    losses.append(loss)
print(count_batches())
# => 0

# %%
# ``del`` removes a name. It frees the memory if that was the last reference. Here the list still
# holds the loss, and the loss its batch.

losses = [(weight * load_batch()).sum()]
loss = losses[0]
del loss
print(sum(reference() is not None for reference in alive))
# => 1
losses.clear()
print(count_batches())
# => 0
