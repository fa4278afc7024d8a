"""
IndexError: too many indices for tensor of dimension 1
======================================================

The index names more axes than the tensor or array has, as after ``squeeze()``, for a grey image or an empty
list of boxes: print the shape, and name the axes that are there.

.. fix::

   - scores[:, 0]
   + scores[0]
   + np.atleast_2d(scores)[:, 0]
   + kept.squeeze(-1)[:, 0]
"""

# sphinx_gallery_tags = ["shape", "index", "image", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# The batch here has one sample, and ``squeeze()`` takes away the axis of the batch, too.

kept = torch.ones(1, 3, 1)
scores = kept.squeeze()
print(scores.shape)
# => torch.Size([3])
try:
    scores[:, 0]
except IndexError as error:
    print(error)
# => too many indices for tensor of dimension 1
try:
    scores.numpy()[:, 0]
except IndexError as error:
    print(error)
# => too many indices for array: array is 1-dimensional, but 2 were indexed

# %%
# An image without objects can have an empty list of boxes. ``np.loadtxt`` gives one axis for the row here.

try:
    np.array([])[:, :4]
except IndexError as error:
    print(error)
# => too many indices for array: array is 1-dimensional, but 2 were indexed
try:
    np.loadtxt(["0 0.5 0.5"])[:, 0]
except IndexError as error:
    print(error)
# => too many indices for array: array is 1-dimensional, but 2 were indexed

# %%
# This grey image has two axes, and code for colours takes the third one.

grey = np.zeros((4, 4), dtype=np.uint8)
try:
    grey[:, :, 0]
except IndexError as error:
    print(error)
# => too many indices for array: array is 2-dimensional, but 3 were indexed

# %%
# One index of a tensor without an axis, or of a number of NumPy, has these messages.

try:
    torch.tensor(1.5)[0]
except IndexError as error:
    print(error)
# => invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number
try:
    np.float64(1.5)[0]
except IndexError as error:
    print(error)
# => invalid index to scalar variable.

# %%
# The fix
# -------
#
# Name as many axes as there are, or give the array its axis back.

print(scores[0])
# => tensor(1.)
print(np.atleast_2d(scores)[:, 0])
# => [1.]
print(torch.atleast_2d(scores)[:, 0])
# => tensor([1.])

# %%
# Boxes and rows need a number of columns, also when there are none: ``reshape``, or ``ndmin`` when you read.

print(np.array([]).reshape(-1, 4)[:, :4].shape, np.loadtxt(["0 0.5 0.5"], ndmin=2)[:, 0])
# => (0, 4) [0.]

# %%
# Squeeze the axis that you mean. Then a batch of one sample keeps its own.

print(kept.squeeze(-1)[:, 0])
# => tensor([1.])

# %%
# Give a grey image an axis for its channel, or three equal channels.

print(grey[:, :, None].shape, np.repeat(grey[:, :, None], 3, axis=2).shape)
# => (4, 4, 1) (4, 4, 3)

# %%
# These class indices have one axis. For one-hot rows, write

labels = torch.tensor([0, 2])
print(torch.nn.functional.one_hot(labels, num_classes=3)[:, 0])
# => tensor([1, 0])

# %%
# ``...`` stands for the axes that the other indices leave.

print(scores[..., 0], kept[..., 0].shape)
# => tensor(1.) torch.Size([1, 3])

# %%
# What does not help
# ------------------
#
# Casting to another dtype such as ``object`` gives no axis. These lists of different lengths, as an array of objects,
# have a single axis, too: see :doc:`/gallery/13_errors/ragged_lists`.

ragged = np.array([[1, 2], [3]], dtype=object)
print(ragged.shape)
# => (2,)
