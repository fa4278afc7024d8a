"""
Every way to write tensor.to("cuda")
====================================

``tensor.to("cuda")`` moves a tensor to the current GPU; ``"cuda:0"``, ``0`` and
``torch.device("cuda", 0)`` name a GPU by its index. ``to("cpu")`` and ``cpu()`` bring it back.
"""

# sphinx_gallery_tags = ["cuda", "device"]

import torch

# %%
# A device can be a string. Without an index it means the *current* GPU, and the tensor's ``device``
# shows the index of that GPU.

cpu_tensor = torch.tensor([0, 1, 2])
print(cpu_tensor.to("cuda:0").device, cpu_tensor.to(device="cuda:0").device)
# => cuda:0 cuda:0
print(cpu_tensor.to("cuda").device, cpu_tensor.to(device="cuda").device)
# => cuda:0 cuda:0

# %%
# A bare index means a GPU here, because this build of PyTorch is for CUDA. The general rule is on
# :doc:`/gallery/08_devices/index_zero`.

print(cpu_tensor.to(0).device, cpu_tensor.to(device=0).device)
# => cuda:0 cuda:0

# %%
# Device objects work too, here in six spellings.

for device in (
    torch.device("cuda:0"),
    torch.device(device="cuda:0"),
    torch.device("cuda", 0),
    torch.device(type="cuda", index=0),
    torch.device(0),
    torch.device(device=0),
):
    print(cpu_tensor.to(device).device, cpu_tensor.to(device=device).device)
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0
# => cuda:0 cuda:0

# %%
# Objects without an index mean the current GPU, like the string ``"cuda"``.

for device in (torch.device("cuda"), torch.device(device="cuda"), torch.device(type="cuda")):
    print(device.index, cpu_tensor.to(device).device)
# => None cuda:0
# => None cuda:0
# => None cuda:0

# %%
# A string or a device object also moves a tensor back to the CPU. Write ``"cpu"`` without an index,
# because ``to("cpu:0")`` copies even a tensor that is already there:
# :doc:`/gallery/08_devices/same_object`.

gpu_tensor = cpu_tensor.to("cuda")
print(gpu_tensor.to("cpu").device, gpu_tensor.to(device="cpu").device)
# => cpu cpu
print(gpu_tensor.to(torch.device("cpu")).device, gpu_tensor.cpu().device)
# => cpu cpu
