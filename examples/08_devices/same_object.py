"""
Does to() copy? When it returns the tensor itself
=================================================

``to()`` and ``cpu()`` return the tensor itself when device and dtype already fit, so changing the
result changes the original. Pass ``copy=True`` to get a copy in any case.
"""

# sphinx_gallery_tags = ["device", "copy", "sharing", "correction"]

import numpy as np
import torch

# %%
# "``to()`` returns a copy" is half of the truth. Where device and dtype already
# fit, it `returns the tensor itself
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__, and so does ``cpu()``.

tensor = torch.tensor([1.0, 2.0, 3.0])
print(tensor.to("cpu") is tensor, tensor.to(torch.float32) is tensor, tensor.cpu() is tensor)
# => True True True

# %%
# An edit of the result is then an edit of the original, and of an array that
# shares its memory.

array = np.array([1.0, 2.0, 3.0])
moved = torch.from_numpy(array).to("cpu")
moved[0] = 100
print(array)
# => [100.   2.   3.]

# %%
# A new dtype or a new device makes a new tensor.

print(tensor.to(torch.float64) is tensor, tensor.to("meta") is tensor)
# => False False

# %%
# ``copy=True`` makes one in any case. It is the choice for code that will edit
# the result and does not know the device.

copied = torch.from_numpy(array).to("cpu", copy=True)
copied[0] = -1
print(array)
# => [100.   2.   3.]

# %%
# An index on the CPU is dropped from the result but counts in the comparison,
# so ``"cpu:0"`` copies where ``"cpu"`` does not. Do not rely on either.

indexed = tensor.to("cpu:0")
print(indexed.device == tensor.device, indexed is tensor)
# => True False
print(indexed.data_ptr() == tensor.data_ptr())
# => False
