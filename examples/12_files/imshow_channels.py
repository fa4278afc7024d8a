"""
imshow a tensor: channels last and value range
==============================================

Pass ``image.permute(1, 2, 0).numpy()`` to ``imshow``, with floats from 0 to 1 or integers from 0 to
255; colours outside are cut off.
"""

# sphinx_gallery_tags = ["matplotlib", "image", "layout", "silent"]

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import torch

# %%
# ``torch.nn.Conv2d`` expects the channels first, ``imshow`` expects them last. For this size it
# raises.

figure, axes = plt.subplots()
image = torch.rand(3, 5, 6)
try:
    axes.imshow(image.numpy())
except TypeError as error:
    print(error)
# => Invalid shape (3, 5, 6) for image data

# %%
# Use :meth:`torch.Tensor.permute`, which makes a view without a copy. ``reshape`` gives the right
# shape but the wrong pixels.

shown = axes.imshow(image.permute(1, 2, 0).numpy())
print(shown.get_size())
# => (5, 6)
print(torch.equal(image.permute(1, 2, 0), image.reshape(5, 6, 3)))
# => False

# %%
# If the image is three or four pixels wide, ``imshow`` does not raise, because the last dimension
# could be colours. It then treats the channels as rows and the columns as colours, and shows an
# image of a different height and width.

patch = torch.rand(3, 5, 4)
print(axes.imshow(patch.numpy()).get_size())
# => (3, 5)
print(axes.imshow(patch.permute(1, 2, 0).numpy()).get_size())
# => (5, 4)

# %%
# If the image has one channel, remove that dimension: ``imshow`` then shows it with a colour map.

gray = torch.rand(1, 5, 6)
print(axes.imshow(gray[0].numpy()).get_size())
# => (5, 6)

# %%
# Colours are floats from 0 to 1 or integers from 0 to 255, and `values outside are cut off
# <https://matplotlib.org/stable/api/_as_gen/matplotlib.axes.Axes.imshow.html>`__. If you cast
# pixels to floats without dividing by 255, these values become 1. The log mentions it.

pixels = torch.tensor([[[10, 128, 250]]], dtype=torch.uint8)
print(axes.imshow(pixels.float().numpy()).get_array())
# => [[[1. 1. 1.]]]
# => stderr: Clipping input data to the valid range for imshow with RGB data ([0..1] for floats or [0..255] for integers). Got range [10.0..250.0].
print(axes.imshow(pixels.numpy()).get_array())
# => [[[ 10 128 250]]]

# %%
# Of a normalised colour image, ``imshow`` cuts off values below the mean and values more than one
# deviation above it. Undo the normalisation first. ``mean`` and ``std`` here work with channels in
# the last dimension.

mean, std = torch.tensor([0.5, 0.5, 0.5]), torch.tensor([0.25, 0.25, 0.25])
original = torch.tensor([[[0.25, 0.5, 0.75]]])
normalised = (original - mean) / std
print(axes.imshow(normalised.numpy()).get_array())
# => [[[0. 0. 1.]]]
# => stderr: Clipping input data to the valid range for imshow with RGB data ([0..1] for floats or [0..255] for integers). Got range [-1.0..1.0].
print(axes.imshow((normalised * std + mean).numpy()).get_array())
# => [[[0.25 0.5  0.75]]]
