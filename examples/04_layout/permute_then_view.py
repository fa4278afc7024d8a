"""
permute then view: reshape or contiguous
========================================

After ``permute``, call ``reshape``, which copies when it must, or ``contiguous()`` and then
``view``; ``view`` alone raises ``RuntimeError`` when the axes cannot be merged in memory.
"""

# sphinx_gallery_tags = ["layout", "strides", "images"]

import numpy as np
import torch

# %%
# Image libraries put the channels last, networks want them first. :meth:`torch.Tensor.permute`
# changes the description only, so the tensor shares the memory and is not contiguous.

image = np.arange(24).reshape(2, 4, 3)
planes = torch.from_numpy(image).permute(2, 0, 1)
print(planes.shape, planes.stride(), planes.is_contiguous())
# => torch.Size([3, 2, 4]) (1, 12, 3) False

# %%
# :meth:`torch.Tensor.view` promises not to copy. To flatten this tensor, a single stride would have
# to describe the walk through all the elements, and none can.

try:
    planes.view(-1)
except RuntimeError as error:
    print(error)
# => view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.

# %%
# Not every view fails. Axes that follow one another in memory can be merged, as height and width
# can here.

print(planes.view(3, 8).stride())
# => (1, 3)

# %%
# :meth:`torch.Tensor.reshape`, which the message names, copies when it must. The result then is no
# view: a write to it does not reach the image.

flat = planes.reshape(-1)
flat[0] = -1
print(image[0, 0, 0])
# => 0

# %%
# On a contiguous tensor the same call returns a view, and the write does arrive. Code must not
# depend on either; the documentation of ``reshape`` `says so
# <https://docs.pytorch.org/docs/stable/generated/torch.reshape.html>`__.

torch.from_numpy(image).reshape(-1)[0] = -1
print(image[0, 0, 0])
# => -1

# %%
# ``view`` or ``reshape`` to the wanted *shape* is not a permutation. It gives the right shape with
# the colours mixed: the first "channel" holds the start of the image, all three colours in turn.

wrong = torch.from_numpy(image).reshape(3, 2, 4)
print(wrong.shape == planes.shape, torch.equal(wrong, planes))
# => True False
print(wrong[0])
# => tensor([[-1,  1,  2,  3],
# =>         [ 4,  5,  6,  7]])
print(planes[0])
# => tensor([[-1,  3,  6,  9],
# =>         [12, 15, 18, 21]])

# %%
# NumPy has the pair under other names: ``transpose`` returns a view, ``reshape`` copies when it
# must. To lay the planes out once and for all, use ``contiguous``, or before the conversion
# :func:`numpy.ascontiguousarray`.

print(planes.contiguous().view(-1)[:4])
# => tensor([-1,  3,  6,  9])
print(torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))).is_contiguous())
# => True
