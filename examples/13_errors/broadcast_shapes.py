"""
RuntimeError: The size of tensor a (5) must match the size of tensor b
======================================================================

The two shapes do not broadcast, often because an image is channels first now: give the smaller tensor
axes of length one, as in ``mean[:, None, None]``.

.. fix::

   - image - mean
   + image - mean[:, None, None]
"""

# sphinx_gallery_tags = ["shape", "arithmetic", "image", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Shapes are compared from the last axis to the first. Two lengths fit if they are equal, or if one of
# them is 1. An array of height, width and channels fits three means; the tensor has its channels first.

pixels = np.ones((4, 5, 3), dtype=np.float32)
means = np.array([0.1, 0.2, 0.3], dtype=np.float32)
print((pixels - means).shape)
# => (4, 5, 3)
image = torch.from_numpy(pixels).permute(2, 0, 1)
mean = torch.from_numpy(means)
print(image.shape, mean.shape)
# => torch.Size([3, 4, 5]) torch.Size([3])
try:
    image - mean
except RuntimeError as error:
    print(error)
# => The size of tensor a (5) must match the size of tensor b (3) at non-singleton dimension 2

# %%
# NumPy has the same rule and another message.

try:
    image.numpy() - means
except ValueError as error:
    print(error)
# => operands could not be broadcast together with shapes (3,4,5) (3,)

# %%
# The fix
# -------
#
# ``None`` in an index adds an axis of length one. The shape (3, 1, 1) fits (3, 4, 5).

print((image - mean[:, None, None]).shape)
# => torch.Size([3, 4, 5])

# %%
# Or subtract while the channels are last.

print(torch.from_numpy(pixels - means).permute(2, 0, 1).shape)
# => torch.Size([3, 4, 5])

# %%
# What does not help
# ------------------
#
# An image with three columns hides the mistake: the shapes fit, and each *column* loses a mean. Write
# the axes even where it works without.

square = torch.ones(3, 3, 3)
print((square - mean)[0, 0])
# => tensor([0.9000, 0.8000, 0.7000])
print((square - mean[:, None, None])[0, 0])
# => tensor([0.9000, 0.9000, 0.9000])

# %%
# Shapes (n,) and (n, 1) fit as well, and give a table of n by n:
# :doc:`/gallery/13_errors/target_size`.

print((torch.ones(3) - torch.ones(3, 1)).shape)
# => torch.Size([3, 3])
