"""
Every way to write tensor.cuda()
================================

``tensor.cuda()`` moves to the current GPU, and ``cuda("cuda:0")``, ``cuda(0)`` and
``cuda(torch.device("cuda:0"))`` name one. A tensor that is there already is returned as it is.
"""

# sphinx_gallery_tags = ["cuda", "device"]

import torch

# %%
# :meth:`torch.Tensor.cuda` accepts the GPU as a string, an index or a device object, like ``to``.
# Without an argument it uses the current GPU. Here are the strings and the index.

cpu_tensor = torch.tensor([0, 1, 2])
print(cpu_tensor.cuda().device)
# => cuda:0
for device in ("cuda:0", "cuda", 0):
    print(cpu_tensor.cuda(device).device, cpu_tensor.cuda(device=device).device)
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0

# %%
# Device objects work too, here in eight spellings.

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
# The copy is on the GPU; the original stays on the CPU. If the tensor is already there, ``cuda()``
# returns that tensor.

gpu_tensor = cpu_tensor.cuda()
print(cpu_tensor.device, gpu_tensor.cuda() is gpu_tensor)
# => cpu True

# %%
# ``cuda()`` is for CUDA devices, and ``cpu()`` does not accept a device:
# :doc:`/gallery/08_devices/method_arguments`. If the device is a parameter of your function, call
# ``to``, which accepts the CPU as well as a GPU.

print(gpu_tensor.cpu().device, gpu_tensor.to("cpu").device)
# => cpu cpu
