"""
TypeError: Invalid shape (1, 3, 5, 6) for image data
====================================================

``imshow`` shows one image with its colours last: take it out of the batch with ``[0]``, then move
the channels to the end.

.. fix::

   - axes.imshow(batch.numpy())
   + image = batch[0].permute(1, 2, 0)
   + axes.imshow(image.numpy())
"""

# sphinx_gallery_tags = ["matplotlib", "image", "layout", "shape", "error"]

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import torch

# %%
# The error
# ---------
#
# This batch of one image has a leading axis of length one, which ``imshow`` does not drop.

figure, axes = plt.subplots()
batch = torch.rand(1, 3, 5, 6)
try:
    axes.imshow(batch.numpy())
except TypeError as error:
    print(error)
# => Invalid shape (1, 3, 5, 6) for image data

# %%
# Without that axis, the channels are still first instead of last.

try:
    axes.imshow(batch[0].numpy())
except TypeError as error:
    print(error)
# => Invalid shape (3, 5, 6) for image data

# %%
# The fix
# -------
#
# Index the batch, then move the channels to the end.

image = batch[0].permute(1, 2, 0)
print(axes.imshow(image.numpy()).get_size())
# => (5, 6)

# %%
# For a grey image drop the channel axis as well. ``imshow`` then applies a colour map.

mask = torch.rand(1, 1, 5, 6)
print(axes.imshow(mask[0, 0].numpy(), cmap="gray").get_size())
# => (5, 6)

# %%
# If a network's output requires gradients or is on a GPU, detach it and copy it to the CPU first.

output = torch.rand(1, 3, 5, 6, requires_grad=True)
print(axes.imshow(output[0].detach().cpu().permute(1, 2, 0).numpy()).get_size())
# => (5, 6)

# %%
# To show several images in one picture, place them below one another. ``plot`` draws curves: for an image
# it says ``x and y can be no greater than 2-D``, so call ``imshow``.

column = torch.rand(4, 3, 5, 6).permute(0, 2, 3, 1).reshape(4 * 5, 6, 3)
print(axes.imshow(column.numpy()).get_size())
# => (20, 6)

# %%
# What does not help
# ------------------
#
# ``squeeze`` works by chance. It drops the axes of length one, so it does not help for a batch of
# two, and removes a needed axis from an image one pixel high. Newer releases of matplotlib drop a
# channel axis of length one at the end themselves.

print(torch.rand(2, 3, 5, 6).squeeze().shape, axes.imshow(torch.rand(5, 6, 1).numpy()).get_size())
# => torch.Size([2, 3, 5, 6]) (5, 6)

# %%
# ``reshape`` to that shape works, but scrambles the pixels:
# :doc:`/gallery/12_files/imshow_channels`.

print(torch.equal(batch[0].reshape(5, 6, 3), image))
# => False
