"""
Every way to write tensor.cuda()
================================

``tensor.cuda()`` moves to the current GPU, and ``cuda("cuda:0")``, ``cuda(0)`` and
``cuda(torch.device("cuda:0"))`` name one. A tensor that is there already is returned as it is.
"""

# sphinx_gallery_tags = ["cuda", "device"]

import torch

# %%
# :meth:`torch.Tensor.cuda` takes a GPU in the same spellings as ``to``, or no
# argument for the current GPU. Strings and indices first.

cpu_tensor = torch.tensor([0, 1, 2])
print(cpu_tensor.cuda().device)
# => cuda:0
for device in ("cuda:0", "cuda", 0):
    print(cpu_tensor.cuda(device).device, cpu_tensor.cuda(device=device).device)
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0

# %%
# Device objects, in every form they can be constructed in.

for device in (
    torch.device("cuda:0"),
    torch.device(device="cuda:0"),
    torch.device("cuda"),
    torch.device(device="cuda"),
    torch.device(0),
    torch.device(device=0),
    torch.device(type="cuda", index=0),
    torch.device(type="cuda"),
):
    print(cpu_tensor.cuda(device).device, cpu_tensor.cuda(device=device).device)
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0

# %%
# The copy is on the GPU and the original is not. Called on a tensor that is
# there already, the method returns that tensor.

gpu_tensor = cpu_tensor.cuda()
print(cpu_tensor.device, gpu_tensor.cuda() is gpu_tensor)
# => cpu True

# %%
# Only CUDA devices are accepted, and ``cpu()`` takes no device:
# :doc:`/gallery/08_devices/method_arguments`. Where the device is a parameter,
# use ``to``, which takes them all.

print(gpu_tensor.cpu().device, gpu_tensor.to("cpu").device)
# => cpu cpu
