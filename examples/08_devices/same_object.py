"""
Does to() copy? When it returns the tensor itself
=================================================

``to()`` and ``cpu()`` usually return the tensor itself when device and dtype already fit, so
changing the result changes the original. Pass ``copy=True`` to get a copy in any case.
"""

# sphinx_gallery_tags = ["device", "copy", "sharing", "correction"]

import numpy as np
import torch

# %%
# ``to()`` does not always copy. If device and dtype already fit and you pass neither a memory
# format nor ``copy``, it `returns the tensor itself
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__, and so does ``cpu()``.

tensor = torch.tensor([1.0, 2.0, 3.0])
print(tensor.to("cpu") is tensor, tensor.to(torch.float32) is tensor, tensor.cpu() is tensor)
# => True True True

# %%
# Writing to the result then also changes the original, and the array that shares its memory.

array = np.array([1.0, 2.0, 3.0])
moved = torch.from_numpy(array).to("cpu")
moved[0] = 100
print(array)
# => [100.   2.   3.]

# %%
# A different dtype or device gives a new tensor.

print(tensor.to(torch.float64) is tensor, tensor.to("meta") is tensor)
# => False False

# %%
# With ``copy=True`` it copies. Use it when your code will write to the result and cannot know the
# device of its input.

copied = torch.from_numpy(array).to("cpu", copy=True)
copied[0] = -1
print(array)
# => [100.   2.   3.]

# %%
# ``"cpu:0"`` copies where ``"cpu"`` does not, although the result is on ``cpu`` in both cases. Do
# not rely on either.

indexed = tensor.to("cpu:0")
print(indexed.device == tensor.device, indexed is tensor)
# => True False
print(indexed.data_ptr() == tensor.data_ptr())
# => False
