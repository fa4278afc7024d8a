"""
torch.device("cuda") is not equal to "cuda:0"
=============================================

``torch.device("cuda") == torch.device("cuda:0")`` is false, and a CUDA tensor always has an index.
Compare ``tensor.device.type == "cuda"``, or the devices of two tensors.
"""

# sphinx_gallery_tags = ["device", "comparison"]

import torch

# %%
# A device with an index never equals one without. The first is a place, the
# second means "the current one", which may change
# (`issue 115405 <https://github.com/pytorch/pytorch/issues/115405>`__).

print(torch.device("cuda") == torch.device("cuda:0"))
# => False
print(torch.device("cuda").index, torch.device("cuda:0").index)
# => None 0

# %%
# In sets and as keys they are two entries, so a cache keyed by device may hold
# everything twice.

print(len({torch.device("cuda"), torch.device("cuda:0")}))
# => 2

# %%
# A tensor on a GPU always reports an index, so ``tensor.device ==
# torch.device("cuda")`` is never true (:doc:`/gallery/08_devices/where_cuda_is`).
# Compare the type, or two tensors with each other.

tensor = torch.ones(2)
print(tensor.device.type == "cpu")
# => True
print(tensor.device == torch.zeros(3).device)
# => True

# %%
# Comparing with a string does not fail, and is false for every device.

print(tensor.device == "cpu")
# => False
print(str(tensor.device) == "cpu")
# => True

# %%
# The CPU and ``meta`` are the exceptions: they have one place each, and their
# tensors drop an index that was asked for.

print(torch.ones(2, device="cpu:0").device, torch.ones(2, device="meta:0").device)
# => cpu meta
