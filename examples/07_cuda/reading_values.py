"""
Why item(), print and .cpu() are slow on a GPU
==============================================

``item()``, ``tolist()``, ``float()``, ``print`` and ``if`` copy from the GPU and wait until it has
finished. In a loop, collect tensors and read them once: ``torch.stack(history).tolist()``.
"""

# sphinx_gallery_tags = ["cuda", "scalar", "non_blocking"]

import torch

# %%
# :meth:`torch.Tensor.item` returns one value as a Python number and
# :meth:`torch.Tensor.tolist` all of them, without NumPy and without ``cpu()``.

losses = torch.tensor([0.5, 0.25, 0.75], device="cuda")
total = losses.sum()
print(total.item(), type(total.item()))
# => 1.5 <class 'float'>
print(losses.tolist())
# => [0.5, 0.25, 0.75]

# %%
# ``float()``, formatting and ``if`` do the same for a single value.

print(float(total), f"{total:.2f}")
# => 1.5 1.50
if total > 1:
    print("above one")
# => above one

# %%
# Each of these is a copy to the host, and has to wait until the GPU has
# computed the value. To see it, give the GPU something to do, and ask after
# the call whether an event behind that work has been reached.


def keep_busy():
    """Queue work that keeps the GPU busy for a while."""
    matrix = torch.ones(4096, 4096, device="cuda")
    for _ in range(50):
        torch.mm(matrix, matrix)


def waits(read):
    """Whether ``read()`` returns only after the work queued before it."""
    keep_busy()
    queued = torch.cuda.Event()
    queued.record()
    read()
    return queued.query()


# %%
# Operations that stay on the GPU return at once. Everything that shows a value
# waits, printing included.

print(waits(lambda: losses.sum()))
# => False
print(waits(total.item), waits(losses.tolist), waits(lambda: str(losses)))
# => True True True

# %%
# In a loop this stops the CPU from queueing ahead. Collect on the GPU and look
# once at the end, as in :doc:`/gallery/07_cuda/numpy_functions`.

history = []
for step in range(3):
    history.append(losses.sum() * step)
print(torch.stack(history).tolist())
# => [0.0, 1.5, 3.0]
