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
# :func:`torch.as_tensor` converts only what has to be converted. An array whose dtype torch knows
# needs nothing, so the tensor shares its memory.

array = np.array([4, 8])
tensor = torch.as_tensor(array)
array[1] = 5
print(tensor.tolist())
# => [4, 5]

# %%
# It is sometimes said to copy whatever is not a tensor already. The example above disproves that:
# the test is not the type of the input but its dtype and device. The documentation `names
# from_numpy <https://docs.pytorch.org/docs/stable/generated/torch.as_tensor.html>`__ for the case
# in which both match.

print(type(array).__name__, np.shares_memory(tensor.numpy(), array))
# => ndarray True

# %%
# Spelling out the dtype that the array has changes nothing. Another dtype has other bytes, so the
# values move to memory of their own.

floats = np.array([0.5, 1.5])
same = torch.as_tensor(floats, dtype=torch.float64)
other = torch.as_tensor(floats, dtype=torch.float32)
floats[0] = 9
print(same, other)
# => tensor([9.0000, 1.5000], dtype=torch.float64) tensor([0.5000, 1.5000])

# %%
# The device is the second condition. NumPy's memory is always the CPU's, so naming that device
# still shares. Any other one has memory elsewhere; the ``meta`` device has none at all.

print(np.shares_memory(torch.as_tensor(floats, device="cpu").numpy(), floats))
# => True
print(torch.as_tensor(floats, device="meta").device)
# => meta

# %%
# A default device decides just as an explicit one does, although the call does not show it:
# :doc:`/gallery/08_devices/default_device`.

with torch.device("meta"):
    print(torch.as_tensor(floats).device, torch.from_numpy(floats).device)
# => meta cpu

# %%
# A tensor that needs no conversion comes back as the same object. A list has no memory to share,
# since its elements are Python objects, and is copied every time.

print(torch.as_tensor(tensor) is tensor)
# => True
values = [4, 8]
copied = torch.as_tensor(values)
values[1] = 5
print(copied)
# => tensor([4, 8])

# %%
# So the result may or may not belong to the caller. A function that wants to write to it asks
# for a copy: :func:`torch.asarray` with ``copy=True`` makes one, whatever the input is.


def doubled(data):
    result = torch.asarray(data, copy=True)
    result *= 2
    return result


print(doubled(floats), floats)
# => tensor([18.,  3.], dtype=torch.float64) [9.  1.5]
