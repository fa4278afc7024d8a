"""
permute then view: reshape or contiguous
========================================

After ``permute``, call ``reshape``, which copies if it must, or ``contiguous()`` and then ``view``.
``view`` alone raises ``RuntimeError`` if the axes cannot be merged in memory.
"""

# sphinx_gallery_tags = ["layout", "strides", "image"]

import numpy as np
import torch

# %%
# The image below has its channels last; ``permute`` puts them first. :meth:`torch.Tensor.permute`
# changes shape and strides, not the memory, so ``planes`` shares the memory but is not contiguous.

image = np.arange(24).reshape(2, 4, 3)
planes = torch.from_numpy(image).permute(2, 0, 1)
print(planes.shape, planes.stride(), planes.is_contiguous())
# => torch.Size([3, 2, 4]) (1, 12, 3) False

# %%
# :meth:`torch.Tensor.view` raises where it would have to copy. A flat view would need a single
# stride for this order of the elements, which does not exist.

try:
    planes.view(-1)
except RuntimeError as error:
    print(error)
# => view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.

# %%
# Not every view fails. Axes that are adjacent in memory, such as height and width here, can be
# merged.

print(planes.view(3, 8).stride())
# => (1, 3)

# %%
# The message names :meth:`torch.Tensor.reshape`, which copies if it must. Here the result is a
# copy: writing to it does not change the image.

flat = planes.reshape(-1)
flat[0] = -1
print(image[0, 0, 0])
# => 0

# %%
# On a contiguous tensor, ``reshape`` returns a view, and the write does change the image. Do not
# rely on either, as the `documentation of reshape
# <https://docs.pytorch.org/docs/stable/generated/torch.reshape.html>`__ says.

torch.from_numpy(image).reshape(-1)[0] = -1
print(image[0, 0, 0])
# => -1

# %%
# Do not use ``view`` or ``reshape`` to reorder axes. The shape is right but the colours are mixed:
# the first "channel" holds the start of the image, with all three colours in turn.

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
# NumPy's ``transpose(2, 0, 1)`` does what torch's ``permute`` does. To store the planes one after
# the other, call ``contiguous()``, or :func:`numpy.ascontiguousarray` before the conversion.

print(planes.contiguous().view(-1)[:4])
# => tensor([-1,  3,  6,  9])
print(torch.from_numpy(np.ascontiguousarray(image.transpose(2, 0, 1))).is_contiguous())
# => True
