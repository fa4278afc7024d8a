"""
OutOfMemoryError: CUDA out of memory
====================================

If it happens at the first step, make the batch smaller; if after many steps, move the outputs that
you keep to the CPU without their graph.

.. fix::

   - outputs.append(model(batch))
   + outputs.append(model(batch).detach().cpu())
"""

# sphinx_gallery_tags = ["cuda", "memory", "autograd", "error"]

import torch

# %%
# The error
# ---------
#
# The message lists how much memory your tensors take, how much more torch has reserved, and how
# much is free on the GPU; other processes on it are in ``nvidia-smi``. Here the list of outputs fills
# the memory. This page limits the program to a hundredth of the GPU.

torch.cuda.set_per_process_memory_fraction(0.01)
model = torch.nn.Linear(16, 16).to("cuda")
batch = torch.ones(2**18, 16, device="cuda")
outputs = []
try:
    for _ in range(10_000):
        outputs.append(model(batch))
except torch.cuda.OutOfMemoryError as error:
    print(str(error).split(". ")[0])
# => CUDA out of memory

# %%
# ``OutOfMemoryError`` is a subclass of ``RuntimeError``, so ``except RuntimeError`` catches it too.

print(issubclass(torch.cuda.OutOfMemoryError, RuntimeError))
# => True

# %%
# The fix
# -------
#
# Copy the outputs that you keep to the CPU, without their graph: they then take no GPU memory.
# :doc:`/gallery/05_lifetime/kept_losses` shows what else a list keeps.

outputs.clear()
for _ in range(200):
    outputs.append(model(batch).detach().cpu())
print(len(outputs), outputs[0].device)
# => 200 cpu

# %%
# If you need no gradient, use :class:`torch.no_grad`, so that the layer does not save tensors for
# the backward pass.

with torch.no_grad():
    result = model(batch)
print(result.requires_grad)
# => False

# %%
# If one batch is too large, process it in parts. A smaller part saves less for the backward pass.
# If the parts are equal, divide a mean loss by their number, so that the sum of the gradients is that of
# the batch.

for part in batch.split(2**16):
    model(part).sum().backward()
print(model.weight.grad.shape)
# => torch.Size([16, 16])

# %%
# What does not help
# ------------------
#
# ``empty_cache`` does not free memory that is in use. When an allocation fails, torch has already
# emptied the cache. For what does free memory see :doc:`/gallery/07_cuda/freeing_memory`.

before = torch.cuda.memory_allocated()
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() == before)
# => True

# %%
# Do not retry inside the ``except`` block: the exception keeps the failed call's tensors alive.
# Leave the block first.

failed = False
try:
    torch.zeros(2**40, device="cuda")
except torch.cuda.OutOfMemoryError:
    failed = True
if failed:
    print(torch.zeros(8, device="cuda").device)
# => cuda:0
