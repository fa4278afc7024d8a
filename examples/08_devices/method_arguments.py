"""
cpu(device=…) and cuda("cpu"): arguments that fail
==================================================

``cpu()`` takes no device, and ``cuda()`` takes CUDA devices only. Use ``tensor.to(device)`` when
the device is known only at run time.
"""

# sphinx_gallery_tags = ["device", "error", "correction"]

import torch

# %%
# ``cpu(device="cpu")`` can be found in tutorials and is an error. The target is
# in the name of the method, so it takes none, by keyword or by position.

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
# ``cuda()`` does take a device, to choose among several GPUs. Any other type is
# an error, even where it is a valid one, so ``cuda("cpu")`` is no way back.

for name in ("cpu", "meta", "xpu"):
    try:
        tensor.cuda(name)
    except RuntimeError as error:
        print(error)
# => Invalid device, must be cuda device
# => Invalid device, must be cuda device
# => Invalid device, must be cuda device

# %%
# The argument they have in common is ``memory_format``
# (`documentation <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.cpu.html>`__).
# It can turn a call that returns the tensor itself into one that copies.

image = torch.zeros(1, 3, 2, 2)
print(image.cpu() is image)
# => True
print(image.cpu(memory_format=torch.channels_last) is image)
# => False

# %%
# A device that is only known at run time goes to :meth:`torch.Tensor.to`.

for name in ("cpu", "meta"):
    print(tensor.to(name).device)
# => cpu
# => meta
