"""
torch.set_default_device: what it applies to
============================================

``torch.set_default_device`` applies to ``torch.tensor`` and ``torch.as_tensor``, but not to
``from_numpy`` and ``frombuffer``. ``as_tensor`` then copies, unless the device is ``"cpu"``. With
arrays, pass ``device`` explicitly.
"""

# sphinx_gallery_tags = ["device", "creation", "from_numpy"]

import numpy as np
import torch

# %%
# Inside ``with torch.device(...)``, functions such as ``torch.ones`` create tensors on that device.
# Existing tensors stay where they are, and an explicit ``device`` takes precedence.

tensor = torch.ones(2)
with torch.device("meta"):
    print(torch.ones(2).device, torch.ones(2, device="cpu").device, tensor.device)
# => meta cpu cpu

# %%
# :func:`torch.set_default_device` does the same in the current thread until you call it again.
# ``None`` restores the CPU.

torch.set_default_device("meta")
print(torch.ones(2).device)
# => meta
torch.set_default_device(None)
print(torch.ones(2).device)
# => cpu

# %%
# For arrays, the default applies to ``tensor``, ``as_tensor`` and ``asarray``. The last two copy if
# it is not the CPU. ``from_numpy`` and ``frombuffer`` share memory, so their tensors stay on the
# CPU (`issue 114691
# <https://github.com/pytorch/pytorch/issues/114691>`__).

array = np.array([1.0, 2.0])
with torch.device("meta"):
    print(torch.tensor(array).device, torch.as_tensor(array).device, torch.asarray(array).device)
    print(torch.from_numpy(array).device, torch.frombuffer(array, dtype=torch.float64).device)
# => meta meta meta
# => cpu cpu

# %%
# The default device ``meta`` therefore makes this :func:`torch.as_tensor` copy where it shared
# memory, although the call itself has not changed.

shared = torch.as_tensor(array)
with torch.device("meta"):
    copied = torch.as_tensor(array)
array[0] = 9
print(shared, copied.device)
# => tensor([9., 2.], dtype=torch.float64) meta

# %%
# If your inputs include arrays, pass the device explicitly: it then applies to arrays as to
# tensors.

device = torch.device("meta")
print(torch.from_numpy(array).to(device).device == torch.ones(2, device=device).device)
# => True

# %%
# :func:`torch.get_default_device` returns the current default.

print(torch.get_default_device())
# => cpu
