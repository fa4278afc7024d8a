"""
CUDA out of memory. Tried to allocate
=====================================

The tensors that are alive leave no room for the next one: make the batch smaller, compute without
gradients where you can, and keep results on the CPU instead of on the GPU.
"""

# sphinx_gallery_tags = ["cuda", "memory", "autograd", "error"]

import torch

# %%
# The error
# ---------
#
# The message counts what this process has in tensors, what torch has reserved beyond that, and what
# is free on the GPU. The limit here is set for this page, to a hundredth of the GPU.

torch.cuda.set_per_process_memory_fraction(0.01)
limit = int(torch.cuda.get_device_properties(0).total_memory * 0.01)
try:
    torch.zeros(limit + 1, dtype=torch.uint8, device="cuda")
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
# Work on parts. A batch of half the size needs half the memory for everything that is saved of it.

rows = torch.ones(limit // 2, dtype=torch.uint8)
total = sum(int(part.to("cuda").sum(dtype=torch.int64)) for part in rows.split(limit // 8))
print(total == len(rows))
# => True

# %%
# Without gradients no intermediate result is saved: the two temporaries of this line come and go.
# With them the memory of each stays until the backward pass.

quarter = torch.ones(limit // 16, device="cuda", requires_grad=True)
with torch.no_grad():
    result = (quarter * 2).exp().sum()
print(result.requires_grad)
# => False

# %%
# Fetch what you keep. A list of outputs on the GPU grows by one batch a step, and by a graph where
# gradients are recorded: :doc:`/gallery/05_lifetime/kept_losses`.

kept = []
for _ in range(20):
    with torch.no_grad():
        kept.append((quarter * 2).cpu())
print(len(kept), kept[0].device)
# => 20 cpu

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
# Trying again in the ``except`` block is too early: the exception still refers to the frames of the
# call that failed, and they to their tensors. Leave the block first.

failed = False
try:
    torch.zeros(limit + 1, dtype=torch.uint8, device="cuda")
except torch.cuda.OutOfMemoryError:
    failed = True
if failed:
    print(torch.zeros(8, device="cuda").device)
# => cuda:0
