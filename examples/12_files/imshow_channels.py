"""
imshow a tensor: channels last and value range
==============================================

Pass ``image.permute(1, 2, 0).numpy()`` to ``imshow``, with floats from 0 to 1 or integers from 0 to
255; values outside are cut off.
"""

# sphinx_gallery_tags = ["matplotlib", "image", "layout", "silent"]

import matplotlib as mpl

mpl.use("agg")
import matplotlib.pyplot as plt
import torch

# %%
# Models of torch keep channels first, ``imshow`` wants them last. For most sizes it says so.

figure, axes = plt.subplots()
image = torch.rand(3, 5, 6)
try:
    axes.imshow(image.numpy())
except TypeError as error:
    print(error)
# => Invalid shape (3, 5, 6) for image data

# %%
# :meth:`torch.Tensor.permute` is the fix, a view without a copy. ``reshape`` has the right shape
# and the wrong pixels.

shown = axes.imshow(image.permute(1, 2, 0).numpy())
print(shown.get_size())
# => (5, 6)
print(torch.equal(image.permute(1, 2, 0), image.reshape(5, 6, 3)))
# => False

# %%
# An image that is three or four pixels wide passes the check: its last dimension looks like
# colours. The rows are then taken for channels, and what is shown has another height and width.
# Patches and filters of a convolution have just this size.

patch = torch.rand(3, 5, 4)
print(axes.imshow(patch.numpy()).get_size())
# => (3, 5)
print(axes.imshow(patch.permute(1, 2, 0).numpy()).get_size())
# => (5, 4)

# %%
# With one channel the dimension has to go: ``imshow`` shows two dimensions through a colour map.

gray = torch.rand(1, 5, 6)
print(axes.imshow(gray[0].numpy()).get_size())
# => (5, 6)

# %%
# Colours are floats from 0 to 1 or integers from 0 to 255, and `everything outside is cut off
# <https://matplotlib.org/stable/api/_as_gen/matplotlib.axes.Axes.imshow.html>`__. Pixels that
# became floats without a division by 255 turn white, except the black ones. Only the log mentions
# it.

pixels = torch.tensor([[[10, 128, 250]]], dtype=torch.uint8)
print(axes.imshow(pixels.float().numpy()).get_array())
# => [[[1. 1. 1.]]]
# => stderr: Clipping input data to the valid range for imshow with RGB data ([0..1] for floats or [0..255] for integers). Got range [10.0..250.0].
print(axes.imshow(pixels.numpy()).get_array())
# => [[[ 10 128 250]]]

# %%
# A normalised image loses all that is below its mean, and all that is more than one deviation
# above it. Undo the normalisation first; the statistics here fit channels in the last dimension.

mean, std = torch.tensor([0.5, 0.5, 0.5]), torch.tensor([0.25, 0.25, 0.25])
original = torch.tensor([[[0.25, 0.5, 0.75]]])
normalised = (original - mean) / std
print(axes.imshow(normalised.numpy()).get_array())
# => [[[0. 0. 1.]]]
# => stderr: Clipping input data to the valid range for imshow with RGB data ([0..1] for floats or [0..255] for integers). Got range [-1.0..1.0].
print(axes.imshow((normalised * std + mean).numpy()).get_array())
# => [[[0.25 0.5  0.75]]]
