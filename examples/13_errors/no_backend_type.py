"""
RuntimeError: No backend type associated with device type cpu
=============================================================

The processes talk through NCCL, which is for GPUs, and this tensor is on the CPU, as from NumPy: move
it to the GPU for the call, or give the group a second backend.

.. fix::

   - dist.init_process_group("cuda:gloo", store=dist.HashStore(), rank=0, world_size=1)
   + torch.tensor(scores.mean(), device=device)
   + dist.init_process_group("cpu:gloo", store=dist.HashStore(), rank=0, world_size=1)
"""

# sphinx_gallery_tags = ["distributed", "device", "lightning", "numpy", "error"]

import numpy as np
import torch
import torch.distributed as dist

# %%
# The error
# ---------
#
# This group has a backend for CUDA alone, as one that was started with ``"nccl"``. A metric that was
# computed with NumPy or scikit-learn is on the CPU.

scores = np.array([0.5, 0.75], dtype=np.float32)
dist.init_process_group("cuda:gloo", store=dist.HashStore(), rank=0, world_size=1)
try:
    dist.all_reduce(torch.from_numpy(scores))
except RuntimeError as error:
    print(error)
# => No backend type associated with device type cpu
dist.destroy_process_group()

# %%
# Lightning does this call for ``self.log(name, value, sync_dist=True)``, and Accelerate another one for
# ``accelerator.gather``. Lightning has left the logged value on its device `since 2.1
# <https://github.com/Lightning-AI/pytorch-lightning/issues/18803>`__. An older torch says ``Tensors must be
# CUDA and dense``, and an older Accelerate ``One or more of the tensors passed to accelerator.gather were not
# on the GPU``.
#
# An array is refused before that.

dist.init_process_group("cuda:gloo", store=dist.HashStore(), rank=0, world_size=1)
try:
    dist.all_reduce(scores)
except TypeError as error:
    print(" ".join(str(error).split()))
# => Invalid function argument. Expected parameter `tensor` of type torch.Tensor but got <class 'numpy.ndarray'> instead.
dist.destroy_process_group()

# %%
# The fix
# -------
#
# Put the value where the backend works. In a Lightning module that is
# ``torch.tensor(value, device=self.device)``, with Accelerate ``device=accelerator.device``. Here
# ``device`` may be ``"cuda"``.

device = "cpu"
print(torch.tensor(scores.mean(), device=device).shape)
# => torch.Size([])

# %%
# Or start the group with a backend for each kind of device: ``"cpu:gloo,cuda:nccl"``, which is the default
# of ``init_process_group`` without a backend where both are there.

dist.init_process_group("cpu:gloo", store=dist.HashStore(), rank=0, world_size=1)
dist.all_reduce(torch.from_numpy(scores))
print(scores)
# => [0.5  0.75]
dist.destroy_process_group()

# %%
# ``all_reduce`` works in place, so the array that shares the tensor's memory changes too. Arrays and
# other objects of Python are gathered with ``all_gather_object``, which pickles them. With NCCL it sends
# them through the GPU.

dist.init_process_group("cpu:gloo", store=dist.HashStore(), rank=0, world_size=1)
gathered = [None]
dist.all_gather_object(gathered, scores)
print(gathered)
# => [array([0.5 , 0.75], dtype=float32)]
dist.destroy_process_group()

# %%
# What does not help
# ------------------
#
# ``.cpu()`` before the call: that is the cause. Call it on the result.
