"""
Why item(), print and .cpu() are slow on a GPU
==============================================

``item()``, ``tolist()``, ``float()``, ``print`` and ``if`` copy from the GPU and wait for the work
queued before. In a loop, collect tensors and read them once: ``torch.stack(history).tolist()``.
"""

# sphinx_gallery_tags = ["cuda", "scalar", "non_blocking"]

import torch

# %%
# :meth:`torch.Tensor.item` returns one value as a Python number and :meth:`torch.Tensor.tolist`
# returns a list of them, without NumPy and without ``cpu()``.

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
# Each of these copies a value to the CPU, and waits until the GPU has computed it. The function
# below shows this: it queues work on the GPU, then an event, and checks after the call whether the
# GPU has reached the event. One product is timed first, because GPUs differ in speed.

matrix = torch.ones(4096, 4096, device="cuda")
torch.mm(matrix, matrix)
begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
begin.record()
torch.mm(matrix, matrix)
end.record()
end.synchronize()
products = 1 + int(200 / begin.elapsed_time(end))


def keep_busy():
    """Queue work for about 200 milliseconds on the current stream."""
    for _ in range(products):
        torch.mm(matrix, matrix)


def waits(read):
    """Whether ``read()`` returns only after the work queued before it."""
    keep_busy()
    queued = torch.cuda.Event()
    queued.record()
    read()
    return queued.query()


# %%
# A sum stays on the GPU and returns at once. Reading or printing a value waits.

print(waits(lambda: losses.sum()))
# => False
print(waits(total.item), waits(losses.tolist), waits(lambda: str(losses)))
# => True True True

# %%
# In a loop, such waiting keeps the CPU from queueing further work. Collect the tensors on the GPU
# and read them once at the end, as in :doc:`/gallery/07_cuda/numpy_functions`.

history = []
for step in range(3):
    history.append(losses.sum() * step)
print(torch.stack(history).tolist())
# => [0.0, 1.5, 3.0]
