"""
What frees GPU memory: del, empty_cache, nvidia-smi
===================================================

Torch can reuse memory as soon as the last reference to a tensor is gone. ``empty_cache`` returns
unused blocks to the driver, and ``nvidia-smi`` shows what the process holds, used or not.
"""

# sphinx_gallery_tags = ["cuda", "memory", "lifetime"]

import gc

import torch

# %%
# There are two numbers to look at: the bytes in tensors (allocated), and the bytes that torch has
# obtained from the driver (reserved). This tensor takes 40 MB.

megabyte = 2**20
tensor = torch.zeros(10 * megabyte, device="cuda")
print(torch.cuda.memory_allocated() // megabyte)
# => 40
print(torch.cuda.memory_reserved() >= torch.cuda.memory_allocated())
# => True

# %%
# If no other reference is left, ``del`` frees the memory at once for a later tensor. The reserved
# memory stays the same: torch `keeps the block
# <https://docs.pytorch.org/docs/stable/notes/cuda.html#memory-management>`__ to reuse it.

reserved = torch.cuda.memory_reserved()
del tensor
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved() == reserved)
# => 0 True

# %%
# The next tensor of that size reuses the block, and torch does not ask the driver for memory.

tensor = torch.zeros(10 * megabyte, device="cuda")
print(torch.cuda.memory_reserved() == reserved)
# => True

# %%
# ``empty_cache`` returns unused blocks to the driver, so that *other* programs and libraries can
# use them. It frees no tensor and gives torch no more memory.

torch.cuda.empty_cache()
print(torch.cuda.memory_allocated() // megabyte)
# => 40
del tensor
torch.cuda.empty_cache()
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())
# => 0 0

# %%
# The GPU still has less free memory than it has in total: CUDA keeps data of its own, which
# ``nvidia-smi`` counts too, and other processes may use the GPU.

free, total = torch.cuda.mem_get_info()
print(free < total)
# => True

# %%
# The name that you delete may not be the last reference. A view, a list, a graph, an exception's
# traceback or a notebook's ``Out`` can keep the memory alive. A view of one element keeps the whole
# of it.

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
# A common leak is a list of losses or outputs. The cause is explained on
# :doc:`/gallery/05_lifetime/kept_losses`. Keep ``item()`` instead, so that the rest is freed.

weight = torch.ones(10 * megabyte, device="cuda", requires_grad=True)
losses = [(weight * torch.ones_like(weight)).sum() for _ in range(3)]
print(torch.cuda.memory_allocated() // megabyte)
# => 160
losses = [loss.item() for loss in losses]
print(torch.cuda.memory_allocated() // megabyte)
# => 40
