"""
torch.device("cuda") is not equal to "cuda:0"
=============================================

``torch.device("cuda") == torch.device("cuda:0")`` is false, and a CUDA tensor has an index.
Compare ``tensor.device.type == "cuda"``, or the devices of two tensors.
"""

# sphinx_gallery_tags = ["device", "comparison"]

import torch

# %%
# A device with an index differs from a device without one. ``"cuda:0"`` names one GPU; ``"cuda"``
# means the current GPU, which may change (`issue 115405
# <https://github.com/pytorch/pytorch/issues/115405>`__).

print(torch.device("cuda") == torch.device("cuda:0"))
# => False
print(torch.device("cuda").index, torch.device("cuda:0").index)
# => None 0

# %%
# In a set or a dict they are two keys, so a cache keyed by device may hold a value twice.

print(len({torch.device("cuda"), torch.device("cuda:0")}))
# => 2

# %%
# A tensor on a GPU reports an index, so ``tensor.device == torch.device("cuda")`` is false for it
# (:doc:`/gallery/08_devices/where_cuda_is`). Compare the type, or two tensors with each other.

tensor = torch.ones(2)
print(tensor.device.type == "cpu")
# => True
print(tensor.device == torch.zeros(3).device)
# => True

# %%
# Comparing a device with a string does not raise, and is false. Convert the device to a string
# first.

print(tensor.device == "cpu")
# => False
print(str(tensor.device) == "cpu")
# => True

# %%
# The CPU and ``meta`` differ: there is one of each, so their tensors drop the index.

print(torch.ones(2, device="cpu:0").device, torch.ones(2, device="meta:0").device)
# => cpu meta
