"""
as_tensor(cupy_array) keeps the memory
======================================

A tensor from ``torch.as_tensor(cupy_array)`` keeps CuPy's memory in use. When both are gone it
stays in CuPy's pool until ``free_all_blocks()``: ``torch.cuda.empty_cache()`` returns only torch's
own memory.
"""

# sphinx_gallery_tags = ["cuda", "cupy", "lifetime", "sharing", "memory"]

import cupy
import torch

# %%
# The tensor shares the memory, so deleting the array frees nothing while the tensor is there.

pool = cupy.get_default_memory_pool()
array = cupy.zeros(1_000_000, dtype=cupy.float32)
tensor = torch.as_tensor(array, device="cuda")
del array
print(pool.used_bytes() >= tensor.nbytes)
# => True

# %%
# torch does not count it, since another library allocated it. ``empty_cache`` returns only what
# torch's own allocator has left over.

before = torch.cuda.memory_allocated()
clone = tensor.clone()
print(torch.cuda.memory_allocated() - before >= clone.nbytes)
# => True

# %%
# A view or a slice of the tensor keeps all of it, as with any shared memory. A clone lets go:
# after the last tensor on it CuPy has the memory back.

part = tensor[:10].clone()
del tensor
print(pool.used_bytes())
# => 0

# %%
# CuPy's `memory pool <https://docs.cupy.dev/en/stable/user_guide/memory.html>`__ keeps it for its
# next array, so ``nvidia-smi`` shows no change. ``free_all_blocks`` returns it to the system, for
# torch to use.

print(pool.total_bytes() > 0)
# => True
pool.free_all_blocks()
print(pool.total_bytes())
# => 0

# %%
# :func:`torch.from_dlpack` has the same lifetime, and is what to use where ``as_tensor`` in a loop
# makes the memory of the process grow (`issue 194877
# <https://github.com/pytorch/pytorch/issues/194877>`__).

array = cupy.zeros(1_000_000, dtype=cupy.float32)
tensor = torch.from_dlpack(array)
del array, tensor
print(pool.used_bytes())
# => 0
