"""
as_tensor(cupy_array) keeps the memory
======================================

A tensor from ``torch.as_tensor(cupy_array)`` keeps CuPy's memory in use. After both are deleted,
CuPy's pool keeps the memory until ``free_all_blocks()``: ``torch.cuda.empty_cache()`` returns
memory of torch's own allocator, not this.
"""

# sphinx_gallery_tags = ["cuda", "cupy", "lifetime", "sharing", "memory"]

import cupy
import torch

# %%
# The tensor shares the array's memory, so deleting the array does not free it as long as the tensor
# exists.

pool = cupy.get_default_memory_pool()
array = cupy.zeros(1_000_000, dtype=cupy.float32)
tensor = torch.as_tensor(array, device="cuda")
del array
print(pool.used_bytes() >= tensor.nbytes)
# => True

# %%
# Torch does not count this memory, since CuPy allocated it. ``empty_cache`` returns unused memory
# of torch's own allocator, not this.

before = torch.cuda.memory_allocated()
clone = tensor.clone()
print(torch.cuda.memory_allocated() - before >= clone.nbytes)
# => True

# %%
# A clone does not keep the array's memory alive: once the tensor on that memory is gone, CuPy gets
# it back.

part = tensor[:10].clone()
del tensor
print(pool.used_bytes())
# => 0

# %%
# CuPy's `memory pool <https://docs.cupy.dev/en/stable/user_guide/memory.html>`__ keeps the memory
# for its next array, so ``nvidia-smi`` shows no change. Call ``free_all_blocks`` to return it to
# the system, so that torch can use it.

print(pool.total_bytes() > 0)
# => True
pool.free_all_blocks()
print(pool.total_bytes())
# => 0

# %%
# A tensor from :func:`torch.from_dlpack` gives the memory back in the same way. Use it for many
# conversions: ``as_tensor`` was reported to leak a little CPU memory for each (`issue 194877
# <https://github.com/pytorch/pytorch/issues/194877>`__), which the numbers on this page do not
# count.

array = cupy.zeros(1_000_000, dtype=cupy.float32)
tensor = torch.from_dlpack(array)
del array, tensor
print(pool.used_bytes())
# => 0
