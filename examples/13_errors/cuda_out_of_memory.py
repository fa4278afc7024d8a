"""
OutOfMemoryError: CUDA out of memory
====================================

The tensors that are alive leave no room for the next one: keep results on the CPU without their
graph, or make the batch smaller.

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
# The message counts what this process has in tensors, what torch has reserved beyond that, and what
# is free on the GPU. Here outputs in a list fill it, each with the graph that made it. The limit is
# set for this page, to a hundredth of the GPU.

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
# The class is one of its own, and a ``RuntimeError``, which is what older code catches.

print(issubclass(torch.cuda.OutOfMemoryError, RuntimeError))
# => True

# %%
# The fix
# -------
#
# Fetch what you keep. Without its graph and on the CPU, an output takes no memory of the GPU.
# :doc:`/gallery/05_lifetime/kept_losses` shows what else a list keeps.

outputs.clear()
for _ in range(200):
    outputs.append(model(batch).detach().cpu())
print(len(outputs), outputs[0].device)
# => 200 cpu

# %%
# Where no gradient is wanted, record none. Then nothing is saved of the steps in between.

with torch.no_grad():
    result = model(batch)
print(result.requires_grad)
# => False

# %%
# Where one batch alone is too much, work on parts of it. What is saved for the backward pass shrinks
# with the batch.

for part in batch.split(2**16):
    model(part).sum().backward()
print(model.weight.grad.shape)
# => torch.Size([16, 16])

# %%
# What does not help
# ------------------
#
# ``empty_cache`` frees nothing that is in use, and an allocation that fails has emptied the cache
# already. :doc:`/gallery/07_cuda/freeing_memory` shows what does free memory.

before = torch.cuda.memory_allocated()
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() == before)
# => True

# %%
# Trying again inside the ``except`` block is too early: the exception refers to the frames of the
# call that failed, and they to their tensors. Leave the block first.

failed = False
try:
    torch.zeros(2**40, device="cuda")
except torch.cuda.OutOfMemoryError:
    failed = True
if failed:
    print(torch.zeros(8, device="cuda").device)
# => cuda:0
