"""
NumPy array to any device: from_numpy().to, tensor, as_tensor
=============================================================

``torch.from_numpy(array).to(device)``, ``torch.tensor(array, device=device)`` and
``torch.as_tensor(array, device=device)`` put the array on that device. For ``"cpu"`` the first and the
last share its memory.
"""

# sphinx_gallery_tags = ["device", "from_numpy", "sharing"]

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# This page uses ``lazy`` as the accelerator: it is in PyTorch's packages and needs no hardware.

torch._lazy.ts_backend.init()
array = np.array([1.0, 2.0, 3.0])
print(torch.from_numpy(array).to("lazy"))
# => tensor([1., 2., 3.], device='lazy:0', dtype=torch.float64)
print(torch.tensor(array, device="lazy"))
# => tensor([1., 2., 3.], device='lazy:0', dtype=torch.float64)
print(torch.as_tensor(array, device="lazy"))
# => tensor([1., 2., 3.], device='lazy:0', dtype=torch.float64)

# %%
# Write to the array after each conversion. The tensors on the accelerator do not change. On the CPU
# two of the three do, because they share the array's memory.


def make_three(array, device):
    """The three spellings, in the order above."""
    yield torch.from_numpy(array).to(device)
    yield torch.tensor(array, device=device)
    yield torch.as_tensor(array, device=device)


for device in ("lazy", "cpu"):
    array = np.zeros(1)
    tensors = list(make_three(array, device))
    array[0] = 9
    print(device, [tensor.item() for tensor in tensors])
# => lazy [0.0, 0.0, 0.0]
# => cpu [9.0, 0.0, 9.0]

# %%
# So the same code can behave differently on the CPU and on an accelerator. If you will write to the
# array again, use ``torch.tensor`` or ``copy=True``.

array = np.zeros(1)
for device in ("lazy", "cpu"):
    tensor = torch.from_numpy(array).to(device, copy=True)
    array += 1
    print(device, tensor.item())
# => lazy 0.0
# => cpu 1.0

# %%
# To change the dtype as well, pass it together with the device. It works the same on both.

for device in ("lazy", "cpu"):
    print(torch.as_tensor(array, dtype=torch.float32, device=device).dtype)
# => torch.float32
# => torch.float32

# %%
# To fill an existing tensor, use ``copy_`` with a CPU tensor: it copies across devices. Assigning
# an array raises.

target = torch.empty(3, device="lazy")
target.copy_(torch.from_numpy(np.arange(3.0)))
print(target)
# => tensor([0., 1., 2.], device='lazy:0')
try:
    target[:] = np.arange(3.0)
except TypeError as error:
    print(error)
# => can't assign a numpy.ndarray to a torch.lazy.FloatTensor

# %%
# ``from_numpy`` itself has no ``device`` argument: it returns a view of CPU memory.

try:
    torch.from_numpy(array, device="lazy")
except TypeError as error:
    print(error)
# => torch._VariableFunctionsClass.from_numpy() takes no keyword arguments
