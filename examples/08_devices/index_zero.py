"""
What torch.device(0) means
==========================

``torch.device(0)`` means the current accelerator, such as CUDA, and raises on a CPU build. Write
``"cuda:0"`` when you mean CUDA, or pass on ``tensor.device``.
"""

# sphinx_gallery_tags = ["device", "error", "correction"]

import torch

# %%
# "0 selects CUDA" is only true where CUDA is. An index `means the current
# accelerator <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__:
# CUDA, MPS or another, as this build of PyTorch was made. A CPU build has none.

accelerator = torch.accelerator.current_accelerator()
try:
    numbered = torch.device(0)
except RuntimeError:
    numbered = None

# %%
# So the same expression is one device, another, or an error. What holds on
# every machine: an index works if and only if the build has an accelerator, and
# then means that type.

print((numbered is None) == (accelerator is None))
# => True
print(numbered is None or numbered == torch.device(accelerator.type, 0))
# => True

# %%
# A build for CUDA accepts the index even on a machine without a GPU, and fails
# with the first tensor. The string ``"cuda:0"`` parses everywhere and means CUDA
# everywhere, so an error about it names what is missing.

print(torch.device("cuda:0").type)
# => cuda

# %%
# There is no index for the CPU. :meth:`torch.Tensor.get_device` returns a
# negative number for a CPU tensor, and that is refused as a device.

index = torch.ones(2).get_device()
print(index)
# => -1
try:
    torch.empty(2, device=index)
except RuntimeError as error:
    print(error)
# => Device index must not be negative

# %%
# ``tensor.device`` has no such gap: it can be handed on whatever it is.

print(torch.empty(2, device=torch.ones(2).device).device)
# => cpu
