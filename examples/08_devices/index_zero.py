"""
What torch.device(0) means
==========================

``torch.device(0)`` means the current accelerator, such as CUDA, and raises on a CPU build. Write
``"cuda:0"`` when you mean CUDA, or pass on ``tensor.device``.
"""

# sphinx_gallery_tags = ["device", "error", "correction"]

import torch

# %%
# Device 0 is a CUDA device if this build of PyTorch is for CUDA. An index `means the current
# accelerator <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__: CUDA,
# MPS or another one, depending on the build. A CPU build has no accelerator.

try:
    numbered = torch.device(0)
except RuntimeError:
    numbered = None

# %%
# The same expression therefore means different devices on different machines, or raises. An index
# works if the build has an accelerator, and then it means that type.

print((numbered is None) == (torch.accelerator.current_accelerator() is None))
# => True
print(numbered is None or numbered.type == torch.accelerator.current_accelerator().type)
# => True

# %%
# A build for CUDA accepts the index even on a machine without a GPU, and the first tensor raises
# instead. The string ``"cuda:0"`` parses on this build too and means CUDA, so its error message
# names what is missing.

print(torch.device("cuda:0").type)
# => cuda

# %%
# The device of a CPU tensor has no index. :meth:`torch.Tensor.get_device` returns a negative number
# for such a tensor. Using this number as a device raises.

index = torch.ones(2).get_device()
print(index)
# => -1
try:
    torch.empty(2, device=index)
except RuntimeError as error:
    print(error)
# => Device index must not be negative

# %%
# Pass on ``tensor.device`` instead: it works for a CPU tensor too.

print(torch.empty(2, device=torch.ones(2).device).device)
# => cpu
