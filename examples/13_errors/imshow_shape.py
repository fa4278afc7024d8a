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
# A model takes and returns batches. For one image that is an axis of length one in front, which
# ``imshow`` does not drop.

figure, axes = plt.subplots()
batch = torch.rand(1, 3, 5, 6)
try:
    axes.imshow(batch.numpy())
except TypeError as error:
    print(error)
# => Invalid shape (1, 3, 5, 6) for image data

# %%
# Without that axis the channels are still in front.

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
# One channel has to go as well: a grey image has two axes, and a colour map.

mask = torch.rand(1, 1, 5, 6)
print(axes.imshow(mask[0, 0].numpy(), cmap="gray").get_size())
# => (5, 6)

# %%
# What a network returns records gradients, and may be on a GPU. Both are undone on the way.

output = torch.rand(1, 3, 5, 6, requires_grad=True)
print(axes.imshow(output[0].detach().cpu().permute(1, 2, 0).numpy()).get_size())
# => (5, 6)

# %%
# Several images become one picture by stacking: the rows of the images after one another.

column = torch.rand(4, 3, 5, 6).permute(0, 2, 3, 1).reshape(4 * 5, 6, 3)
print(axes.imshow(column.numpy()).get_size())
# => (20, 6)

# %%
# What does not help
# ------------------
#
# ``squeeze`` helps by luck. It drops every axis of length one, so it changes nothing for a batch of
# two, and loses an axis that is meant for an image one pixel high. A channel axis at the end is
# dropped by matplotlib itself, in its newer releases.

print(torch.rand(2, 3, 5, 6).squeeze().shape, axes.imshow(torch.rand(5, 6, 1).numpy()).get_size())
# => torch.Size([2, 3, 5, 6]) (5, 6)

# %%
# ``reshape`` to the wanted shape is accepted and shows scrambled pixels:
# :doc:`/gallery/12_files/imshow_channels`.

print(torch.equal(batch[0].reshape(5, 6, 3), image))
# => False
