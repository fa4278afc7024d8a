"""
cpu(device=…) and cuda("cpu"): arguments that fail
==================================================

``cpu(device=…)`` and ``cuda("cpu")`` raise. Use ``tensor.to(device)`` when the device is known only
at run time.
"""

# sphinx_gallery_tags = ["device", "error", "correction"]

import torch

# %%
# Some tutorials write ``cpu(device="cpu")``, which raises. The name of the method says where it
# moves, so it has no device argument, by keyword or by position.

tensor = torch.tensor([0, 1, 2])
try:
    tensor.cpu(device="cpu")
except TypeError as error:
    print(error)
# => cpu() got an unexpected keyword argument 'device'
try:
    tensor.cpu("cpu")
except TypeError as error:
    print(error)
# => cpu() takes 0 positional arguments but 1 was given

# %%
# ``cuda()`` does accept a device, to choose among several GPUs. A device of another type raises, so
# you do not move back with ``cuda("cpu")``.

for name in ("cpu", "meta", "xpu"):
    try:
        tensor.cuda(name)
    except RuntimeError as error:
        print(error)
# => Invalid device, must be cuda device
# => Invalid device, must be cuda device
# => Invalid device, must be cuda device

# %%
# ``cpu`` and ``cuda`` accept ``memory_format`` (`documentation
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.cpu.html>`__). With it, a call that
# would return the tensor itself may have to copy.

image = torch.zeros(1, 3, 2, 2)
print(image.cpu() is image)
# => True
print(image.cpu(memory_format=torch.channels_last) is image)
# => False

# %%
# If the device is known only at run time, pass it to :meth:`torch.Tensor.to`.

for name in ("cpu", "meta"):
    print(tensor.to(name).device)
# => cpu
# => meta
