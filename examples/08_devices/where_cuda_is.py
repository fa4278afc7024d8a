"""
How to check whether a tensor is on the GPU
===========================================

``tensor.is_cuda`` or ``tensor.device.type == "cuda"`` tests whether a tensor is on a CUDA GPU;
``tensor.device == torch.device("cuda")`` is false there too. ``tensor.get_device()`` is the GPU's
index.
"""

# sphinx_gallery_tags = ["cuda", "device", "comparison"]

import torch

# %%
# ``device="cuda"`` does not say which GPU, but a CUDA tensor is on a particular one. Its ``device``
# holds the index that was current when it was created.

tensor = torch.zeros(2, device="cuda")
print(tensor.device, tensor.get_device())
# => cuda:0 0

# %%
# The comparison with ``torch.device("cuda")`` is therefore false, and code that depends on it
# silently does not run. To compare devices, include the index.

print(tensor.device == torch.device("cuda"))
# => False
print(tensor.device == torch.device("cuda:0"))
# => True

# %%
# Two tests for "on a CUDA GPU" do not depend on the index.

print(tensor.is_cuda, tensor.device.type == "cuda")
# => True True

# %%
# A bare index names the same GPU, and so does the index that :func:`torch.cuda.current_device`
# returns.

print(torch.device(0) == tensor.device)
# => True
print(torch.device("cuda", torch.cuda.current_device()) == tensor.device)
# => True

# %%
# Moves do not have this problem: ``to("cuda")`` fills in the current index before it compares, so
# it returns the same tensor.

print(tensor.to("cuda") is tensor, tensor.to(torch.device("cuda")) is tensor)
# => True True
