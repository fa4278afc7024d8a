"""
What frees GPU memory: del, empty_cache, nvidia-smi
===================================================

Memory is free for torch as soon as the last reference to a tensor is gone; ``empty_cache`` only hands
unused blocks back to the driver, and ``nvidia-smi`` shows what the process holds, used or not.
"""

# sphinx_gallery_tags = ["cuda", "memory", "lifetime"]

import gc

import torch

# %%
# Two numbers tell what happens: bytes in tensors, and bytes that torch has from the driver. This
# tensor takes 40 MB.

megabyte = 2**20
tensor = torch.zeros(10 * megabyte, device="cuda")
print(torch.cuda.memory_allocated() // megabyte)
# => 40
print(torch.cuda.memory_reserved() >= torch.cuda.memory_allocated())
# => True

# %%
# ``del`` with no other reference left frees it, at once and for any later tensor. The reserved
# number stays: torch `keeps the block
# <https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management>`__ to use it again.

reserved = torch.cuda.memory_reserved()
del tensor
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved() == reserved)
# => 0 True

# %%
# The next tensor of that size takes the block from the cache and asks the driver for nothing.

tensor = torch.zeros(10 * megabyte, device="cuda")
print(torch.cuda.memory_reserved() == reserved)
# => True

# %%
# ``empty_cache`` returns what is unused, so that *other* programs can have it. It frees no tensor,
# and gives your own program no byte more.

torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() // megabyte)
# => 40
del tensor
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
# => 0 0

# %%
# ``nvidia-smi`` still shows some hundred megabytes then: CUDA's own state in this process, which only
# the end of the process frees.

free, total = torch.cuda.mem_get_info()
print(free < total)
# => True

# %%
# A name that is deleted is not the only reference. A view, a list, a graph, an exception's
# traceback or a notebook's ``Out`` keep the memory; a view of one element keeps all of it.

tensor = torch.zeros(10 * megabyte, device="cuda")
first = tensor[:1]
del tensor
gc.collect()
print(torch.cuda.memory_allocated() // megabyte)
# => 40
first = first.clone()
print(torch.cuda.memory_allocated() // megabyte)
# => 0

# %%
# Losses and outputs kept in a list are the usual leak, with the same cause on the CPU, where
# :doc:`/gallery/05_lifetime/kept_losses` runs it. ``item()`` or ``detach().cpu()`` keeps the value and
# lets the rest go.

weight = torch.ones(10 * megabyte, device="cuda", requires_grad=True)
losses = [(weight * torch.ones_like(weight)).sum() for _ in range(3)]
print(torch.cuda.memory_allocated() // megabyte)
# => 160
losses = [loss.item() for loss in losses]
print(torch.cuda.memory_allocated() // megabyte)
# => 40
