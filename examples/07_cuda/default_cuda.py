"""
set_default_device("cuda") and NumPy
====================================

After ``torch.set_default_device("cuda")``, ``torch.from_numpy`` still gives a CPU tensor,
``as_tensor`` copies to the GPU, and a shuffling ``DataLoader`` raises. Pass ``device`` explicitly
instead.
"""

# sphinx_gallery_tags = ["cuda", "device", "from_numpy", "dataloader", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, default_collate

# %%
# :func:`torch.set_default_device` sets where functions such as ``zeros`` create tensors in the
# current thread. ``tensor`` and ``as_tensor`` follow it. :func:`torch.from_numpy` does not, because
# it shares CPU memory (`issue 114691 <https://github.com/pytorch/pytorch/issues/114691>`__).

torch.set_default_device("cuda")
array = np.array([1.0, 2.0], dtype=np.float32)
print(torch.zeros(2).device, torch.tensor(array).device, torch.as_tensor(array).device)
# => cuda:0 cuda:0 cuda:0
print(torch.from_numpy(array).device, torch.from_dlpack(array).device)
# => cpu cpu

# %%
# Two tensors of one program can therefore be on different devices, although no line names a device.

try:
    torch.ones(2) * torch.from_numpy(array)
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!

# %%
# Changing the default breaks code that relies on sharing memory, or calls ``numpy()`` on a tensor
# that it has just created.

tensor = torch.as_tensor(array)
array[0] = 9
print(tensor)
# => tensor([1., 2.], device='cuda:0')
try:
    torch.arange(3).numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# By default a data loader converts arrays with :func:`torch.as_tensor`. Here each array is
# therefore copied to the GPU separately, and the batch is stacked there.

print(default_collate([array, array]).device)
# => cuda:0

# %%
# A loader that shuffles has a CPU generator, but asks for random positions on the default device,
# which raises. `Issue 110820 <https://github.com/pytorch/pytorch/issues/110820>`__ reports the same
# for Apple's GPUs.

rows = np.ones((4, 2), dtype=np.float32)
try:
    next(iter(DataLoader(rows, shuffle=True)))
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# Inside ``with torch.device("cpu")`` the default does not apply. It is better not to change the
# default at all and to pass devices explicitly: :doc:`/gallery/08_devices/default_device`.

with torch.device("cpu"):
    print(next(iter(DataLoader(rows, shuffle=True))).device, torch.as_tensor(array).device)
# => cpu cpu
torch.set_default_device(None)
print(torch.as_tensor(array).to("cuda").device)
# => cuda:0
