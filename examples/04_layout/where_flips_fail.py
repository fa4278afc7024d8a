"""
Flipped array to a tensor: which calls fail
===========================================

Copy a flipped array before you pass it to ``torch.tensor`` or ``default_collate``, or index a
tensor with it: each raises ``ValueError`` because of the negative stride.
"""

# sphinx_gallery_tags = ["layout", "negative strides", "indexing"]

import numpy as np
import torch
from torch.utils.data import default_collate

# %%
# The flip, the rotation by a right angle and the swap of colour channels below give views with a
# negative stride. Indexing with a list swaps the channels in new memory.

image = np.arange(12.0).reshape(2, 2, 3)
for view in [np.fliplr(image), np.rot90(image), image[..., ::-1], image[..., [2, 1, 0]]]:
    print(any(stride < 0 for stride in view.strides))
# => True
# => True
# => True
# => False

# %%
# The error is not specific to :func:`torch.from_numpy`. The five calls below make the same check,
# whether they would copy or not. See :doc:`/gallery/13_errors/negative_strides`.

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
# In a data loader the flip is in the dataset, but the error appears in the collate function, which
# may run in a worker process. Copy the array before the dataset returns it.

try:
    default_collate([swapped, swapped])
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative
print(default_collate([swapped.copy(), swapped.copy()]).shape)
# => torch.Size([2, 2, 2, 3])

# %%
# A reversed array used as an index raises as well. This breaks code that sorts with
# :func:`numpy.argsort` and reverses the result.

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
# Sort the negated values to get descending order without a reversed view. This suits floats: the
# negation of unsigned integers wraps.

print(torch.from_numpy(np.argsort(-scores)))
# => tensor([1, 2, 0])

# %%
# :func:`torch.tensor` reads a list of arrays element by element, so a list of reversed arrays works
# but is slow: :doc:`/gallery/13_errors/list_of_arrays`. :func:`numpy.stack` is fast, and its result
# has no negative strides.

print(torch.tensor([swapped[0, 0], swapped[0, 0]]).shape)
# => torch.Size([2, 3])
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.
print(torch.from_numpy(np.stack([swapped, swapped])).shape)
# => torch.Size([2, 2, 2, 3])

# %%
# This division and this cast return new memory without negative strides. Such a harmless line can
# hide the error, and removing it brings the error back.

scaled = swapped / 255
print(swapped.strides, scaled.strides)
# => (48, 24, -8) (48, 24, 8)
print(torch.from_numpy(scaled).shape)
# => torch.Size([2, 2, 3])
print(torch.from_numpy(swapped.astype(np.float32)).dtype)
# => torch.float32

# %%
# Reversing this tensor by slicing raises. If you must reverse the data after the conversion, use
# :func:`torch.flip`, which copies.

try:
    tensor[::-1]
except ValueError as error:
    print(error)
# => step must be greater than zero
print(tensor.flip(0))
# => tensor([0.5000, 0.9000, 0.2000], dtype=torch.float64)
