"""
When torch.as_tensor shares memory and when it copies
=====================================================

``torch.as_tensor`` shares memory with an array whose dtype and device already fit, so writing to
the result changes the caller's array.
"""

# sphinx_gallery_tags = ["sharing", "copy", "as_tensor", "correction"]

import numpy as np
import torch

# %%
# Torch supports the dtype of this array, so the tensor of :func:`torch.as_tensor` shares its
# memory.

array = np.array([4, 8])
tensor = torch.as_tensor(array)
array[1] = 5
print(tensor.tolist())
# => [4, 5]

# %%
# You may read that ``as_tensor`` copies an array, because it is not a tensor. The example above
# shows otherwise: dtype and device decide. The documentation `names from_numpy
# <https://docs.pytorch.org/docs/stable/generated/torch.as_tensor.html>`__ for the case in which
# both match.

print(type(array).__name__, np.shares_memory(tensor.numpy(), array))
# => ndarray True

# %%
# With the dtype that the array already has, the tensor shares too. Here ``float32`` needs different
# bytes, so the values are copied to new memory.

floats = np.array([0.5, 1.5])
same = torch.as_tensor(floats, dtype=torch.float64)
other = torch.as_tensor(floats, dtype=torch.float32)
floats[0] = 9
print(same, other)
# => tensor([9.0000, 1.5000], dtype=torch.float64) tensor([0.5000, 1.5000])

# %%
# The device is the second condition. This array's memory is on the CPU, so ``device="cpu"`` still
# shares. A tensor on a GPU has memory of its own; a tensor on ``meta`` has a shape but no values.

print(np.shares_memory(torch.as_tensor(floats, device="cpu").numpy(), floats))
# => True
print(torch.as_tensor(floats, device="meta").device)
# => meta

# %%
# A default device has the same effect, although the call does not show it:
# :doc:`/gallery/08_devices/default_device`.

with torch.device("meta"):
    print(torch.as_tensor(floats).device, torch.from_numpy(floats).device)
# => meta cpu

# %%
# A tensor whose dtype and device fit is returned as the same object. A list is copied: its elements
# are Python objects, so there is no memory to share.

print(torch.as_tensor(tensor) is tensor)
# => True
values = [4, 8]
copied = torch.as_tensor(values)
values[1] = 5
print(copied)
# => tensor([4, 8])

# %%
# The result may therefore share memory with the caller's data. A function that writes to it needs a
# copy first: :func:`torch.asarray` with ``copy=True`` makes one.


def doubled(data):
    result = torch.asarray(data, copy=True)
    result *= 2
    return result


print(doubled(floats), floats)
# => tensor([18.,  3.], dtype=torch.float64) [9.  1.5]
