"""
RuntimeError: indices should be either on cpu or on the same device
===================================================================

The tensor is on the CPU and its index or mask is on a GPU: move the index to the device of the
tensor.

.. fix::

   - labels[confident]
   + labels[confident.to(labels.device)]
"""

# sphinx_gallery_tags = ["cuda", "device", "indexing", "mask", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# A mask on the GPU does not work for a tensor on the CPU. A typical case is a mask made from a model's
# output and applied to labels on the CPU (`issue 90194
# <https://github.com/pytorch/pytorch/issues/90194>`__).

labels = torch.from_numpy(np.array([10, 20, 30]))
scores = torch.tensor([0.9, 0.2, 0.7], device="cuda")
confident = scores > 0.5
try:
    labels[confident]
except RuntimeError as error:
    print(error)
# => indices should be either on cpu or on the same device as the indexed tensor (cpu)

# %%
# The fix
# -------
#
# Move the index to the device of the tensor. ``labels.device`` works on a machine without a GPU
# too.

print(labels[confident.to(labels.device)])
# => tensor([10, 30])

# %%
# Or move the tensor, if the next steps run on the GPU anyway.

print(labels.to(scores.device)[confident])
# => tensor([10, 30], device='cuda:0')

# %%
# To index an array, copy the mask to the CPU and convert it.

print(labels.numpy()[confident.cpu().numpy()])
# => [10 30]

# %%
# For a tensor on the GPU the index may be on the CPU, or an array. Each use copies the index to the
# GPU, so move an index that you use often.

print(scores[torch.tensor([0, 2])].device, scores[np.array([0, 2])].device)
# => cuda:0 cuda:0

# %%
# What does not help
# ------------------
#
# Positions instead of a mask do not help: they are on the GPU too.

try:
    labels[confident.nonzero().squeeze(1)]
except RuntimeError as error:
    print(error)
# => indices should be either on cpu or on the same device as the indexed tensor (cpu)

# %%
# ``cpu()`` on the result comes too late. Without an assignment ``confident.cpu()`` leaves the mask on
# the GPU.

confident.cpu()
print(confident.device)
# => cuda:0

# %%
# Works, but slowly
# -----------------
#
# ``tolist()`` makes Python objects of the elements.

print(labels[confident.tolist()])
# => tensor([10, 30])
