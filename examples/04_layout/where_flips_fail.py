"""
Flipped array to a tensor: which calls fail
===========================================

Copy a flipped array before any torch call that reads it, such as ``torch.tensor``,
``default_collate`` or indexing: each raises ``ValueError`` because of the negative stride.
"""

# sphinx_gallery_tags = ["layout", "negative strides", "indexing"]

import numpy as np
import torch
from torch.utils.data import default_collate

# %%
# Flips, turns by a right angle and the swap of colour channels are views with a negative stride.
# Indexing with a list or :func:`numpy.take` gives the same values in fresh memory.

image = np.arange(12.0).reshape(2, 2, 3)
for view in [np.fliplr(image), np.rot90(image), image[..., ::-1], image[..., [2, 1, 0]]]:
    print(any(stride < 0 for stride in view.strides))
# => True
# => True
# => True
# => False

# %%
# The refusal is not special to :func:`torch.from_numpy`. Every function that reads an
# :class:`numpy.ndarray` as such makes the same test, whether it would have copied or not. The
# message is on :doc:`/gallery/13_errors/negative_strides`.

swapped = image[..., ::-1]
for convert in [torch.from_numpy, torch.as_tensor, torch.tensor, torch.asarray, torch.Tensor]:
    try:
        convert(swapped)
    except ValueError as error:
        print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative
# => At least one stride in the given numpy array is negative
# => At least one stride in the given numpy array is negative
# => At least one stride in the given numpy array is negative
# => At least one stride in the given numpy array is negative

# %%
# In a data loader the flip sits in the dataset and the error in the collate function, which runs in
# another process when there are workers. Copy where the sample is returned.

try:
    default_collate([swapped, swapped])
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative
print(default_collate([swapped.copy(), swapped.copy()]).shape)
# => torch.Size([2, 2, 2, 3])

# %%
# A reversed array is refused as an index, too. That breaks code that sorts with
# :func:`numpy.argsort` and takes the largest first.

scores = np.array([0.2, 0.9, 0.5])
order = np.argsort(scores)[::-1]
tensor = torch.from_numpy(scores)
try:
    tensor[order]
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative
print(tensor[order.copy()])
# => tensor([0.9000, 0.5000, 0.2000], dtype=torch.float64)

# %%
# Sorting the negated values gives the descending order without a reversed view. Unsigned values
# must be cast to a signed dtype first, since their negation wraps.

print(torch.from_numpy(np.argsort(-scores)))
# => tensor([1, 2, 0])

# %%
# :func:`torch.tensor` reads a list of such arrays element by element, so the list passes, at the
# price on :doc:`/gallery/13_errors/list_of_arrays`. :func:`numpy.stack` is the fast way, and lays
# the values out anew by itself.

print(torch.tensor([swapped[0, 0], swapped[0, 0]]).shape)
# => torch.Size([2, 3])
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.
print(torch.from_numpy(np.stack([swapped, swapped])).shape)
# => torch.Size([2, 2, 2, 3])

# %%
# Most NumPy functions that compute something return new memory, with strides that keep the order
# of the axes but not the direction. So the error comes and goes with a harmless line such as this.

scaled = swapped / 255
print(swapped.strides, scaled.strides)
# => (48, 24, -8) (48, 24, 8)
print(torch.from_numpy(scaled).shape)
# => torch.Size([2, 2, 3])
print(torch.from_numpy(swapped.astype(np.float32)).dtype)
# => torch.float32

# %%
# :class:`torch.Tensor` cannot be reversed by a slice at all. :func:`torch.flip` copies, and is what
# remains when the data must be reversed after the conversion.

try:
    tensor[::-1]
except ValueError as error:
    print(error)
# => step must be greater than zero
print(tensor.flip(0))
# => tensor([0.5000, 0.9000, 0.2000], dtype=torch.float64)
