"""
RuntimeError: No backend type associated with device type cpu
=============================================================

The process group communicates by NCCL, which takes CUDA tensors, and this tensor is on the CPU, as after
``from_numpy``: move it to the GPU, or add Gloo.

.. fix::

   - dist.init_process_group("cuda:gloo", **alone)
   + dist.init_process_group("cpu:gloo,cuda:gloo", **alone)

With NCCL, write ``"cpu:gloo,cuda:nccl"``.
"""

# sphinx_gallery_tags = ["distributed", "device", "error"]

import pathlib
import tempfile

import numpy as np
import torch
import torch.distributed as dist

# %%
# The error
# ---------
#
# A metric that NumPy computed, or that ``.cpu()`` has moved, is reduced over the processes by
# ``dist.all_reduce``, ``gather_for_metrics`` or Lightning's ``self.log(…, sync_dist=True)``. Here Gloo is
# registered for CUDA alone, as NCCL would be, in a group of one process.

folder = tempfile.TemporaryDirectory()
alone = {"init_method": pathlib.Path(folder.name, "first").as_uri(), "rank": 0, "world_size": 1}
dist.init_process_group("cuda:gloo", **alone)
accuracy = torch.from_numpy(np.array([0.5]))
try:
    dist.all_reduce(accuracy)
except RuntimeError as error:
    print(error)
# => No backend type associated with device type cpu
dist.destroy_process_group()

# %%
# Older releases have other words for it: ``RuntimeError: Tensors must be CUDA and dense``.
#
# The fix
# -------
#
# With a backend for each device, the tensor can stay on the CPU.

alone["init_method"] = pathlib.Path(folder.name, "second").as_uri()
dist.init_process_group("cpu:gloo,cuda:gloo", **alone)
dist.all_reduce(accuracy)
print(accuracy)
# => tensor([0.5000], dtype=torch.float64)

# %%
# Or move the number to the GPU of this process: ``torch.tensor(value, device=self.device)`` in Lightning,
# ``torch.tensor(value, device=accelerator.device)`` in Accelerate, ``accuracy.to(local_rank)`` in plain torch.
#
# Give these functions a tensor. Objects that hold arrays are gathered with
# ``all_gather_object``, which pickles them.

try:
    dist.all_reduce(np.array([0.5]))
except TypeError as error:
    print(error)
# => Invalid function argument. Expected parameter `tensor` of type torch.Tensor
# =>              but got <class 'numpy.ndarray'> instead.
gathered = [None]
dist.all_gather_object(gathered, {"scores": np.array([0.5])})
print(gathered)
# => [{'scores': array([0.5])}]
dist.destroy_process_group()
folder.cleanup()

# %%
# With NCCL, ``all_gather_object`` copies the bytes to the current GPU: call ``torch.cuda.set_device(local_rank)``
# first, or each process takes the first GPU, and NCCL reports ``Duplicate GPU detected``.
#
# What does not help
# ------------------
#
# ``accuracy.cuda()`` without the result leaves ``accuracy`` on the CPU, as in
# :doc:`/gallery/08_devices/to_is_a_method`.
