"""
Tensors on two GPUs: cuda:0 and cuda:1
======================================

Tensors on two GPUs do not combine: move one with ``second.to(first.device)``. For NumPy, copy each
with ``cpu()``. ``cuda`` without an index means the current GPU.
"""

# sphinx_gallery_tags = ["cuda", "cuda:2", "device", "copy", "error"]

import numpy as np
import torch

# %%
# Two GPUs are two devices, and operands on both raise, as with a GPU and the CPU in
# :doc:`/gallery/07_cuda/mixed_with_cpu`.

first = torch.tensor([1.0, 2.0, 3.0], device="cuda:0")
second = torch.tensor([10.0, 20.0, 30.0], device="cuda:1")
try:
    first + second
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# The exception for 0-d tensors applies to CPU tensors, not to those of another GPU.

print((first + torch.tensor(1.0)).device)
# => cuda:0
try:
    first + second.sum()
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# :meth:`torch.Tensor.copy_`, slice assignment and :meth:`torch.Tensor.to` work between GPUs, as
# `the notes on CUDA <https://docs.pytorch.org/docs/stable/notes/cuda.html>`__ say.

first.copy_(second)
first[:1] = second[2:]
print(first)
# => tensor([30., 20., 30.], device='cuda:0')
print((first + second.to(first.device)).device)
# => cuda:0

# %%
# For NumPy, copy the tensors of both GPUs to the CPU.

print(np.concatenate([first.cpu().numpy(), second.cpu().numpy()]))
# => [30. 20. 30. 10. 20. 30.]

# %%
# ``cuda()`` without an index uses the current GPU. If that is not the tensor's GPU, the call makes
# a copy instead of returning the tensor itself.

print(first.cuda() is first)
# => True
with torch.cuda.device(1):
    print(first.cuda().device, torch.zeros(1, device="cuda").device)
# => cuda:1 cuda:1

# %%
# This product is on the GPU of its operand, although another GPU is current. To be safe, write
# ``device=other.device``.

with torch.cuda.device(1):
    print((first * 2).device, torch.zeros(1, device=first.device).device)
# => cuda:0 cuda:0
