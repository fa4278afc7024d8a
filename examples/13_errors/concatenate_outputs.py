"""
ValueError: zero-dimensional arrays cannot be concatenated
==========================================================

The list holds numbers without an axis, such as losses: stack them, as ``np.array`` and ``torch.stack`` do.

.. fix::

   - np.concatenate(losses)
   + np.array([loss.item() for loss in losses])
   + torch.stack(losses).numpy()
"""

# sphinx_gallery_tags = ["shape", "list", "scalar", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# By default, ``np.concatenate`` and ``torch.cat`` join along an axis that is there. A loss is often a single number
# without one, as the mean of a whole array is.

losses = [torch.tensor(0.5), torch.tensor(0.25)]
try:
    np.concatenate(losses)
except ValueError as error:
    print(error)
# => zero-dimensional arrays cannot be concatenated
try:
    torch.cat(losses)
except RuntimeError as error:
    print(error)
# => zero-dimensional tensor (at position 0) cannot be concatenated

# %%
# The last batch does this too, when ``squeeze()`` takes away the axis of its single sample.

batches = [torch.zeros(2, 1), torch.zeros(1, 1)]
try:
    torch.cat([batch.squeeze() for batch in batches])
except RuntimeError as error:
    print(error)
# => zero-dimensional tensor (at position 1) cannot be concatenated

# %%
# The list is empty if the loop did not run, as when the folder or the split has no samples, or ``drop_last=True``
# has dropped the one batch.

try:
    np.concatenate([])
except ValueError as error:
    print(error)
# => need at least one array to concatenate
try:
    np.stack([])
except ValueError as error:
    print(error)
# => need at least one array to stack
try:
    torch.stack([])
except RuntimeError as error:
    print(error)
# => stack expects a non-empty TensorList

# %%
# Joined along the first axis, arrays that differ in another one, or in the number of axes, raise as well.

try:
    np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))])
except ValueError as error:
    print(error)
# => all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 3 and the array at index 1 has size 4
try:
    np.concatenate([np.zeros((2, 3)), np.zeros(3)])
except ValueError as error:
    print(error)
# => all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s) and the array at index 1 has 1 dimension(s)

# %%
# The fix
# -------
#
# ``np.array`` and ``torch.stack`` make the axis.

print(np.array([loss.item() for loss in losses]))
# => [0.5  0.25]
print(torch.stack(losses).numpy())
# => [0.5  0.25]

# %%
# Squeeze the axis that you mean, so that a batch of one sample keeps its own.

print(torch.cat([batch.squeeze(1) for batch in batches]).shape)
# => torch.Size([3])

# %%
# Before you join, ask whether there is something to join.

outputs = []
joined = np.concatenate(outputs) if outputs else np.empty((0, 3))
print(joined.shape)
# => (0, 3)

# %%
# Give one row an axis in front. Pad outputs of different lengths to the longest one.

print(np.concatenate([np.zeros((2, 3)), np.zeros(3)[None]]).shape)
# => (3, 3)
widest = 4
padded = [
    np.pad(part, ((0, 0), (0, widest - part.shape[1])))
    for part in (np.zeros((2, 3)), np.zeros((2, 4)))
]
print(np.concatenate(padded).shape)
# => (4, 4)

# %%
# What does not help
# ------------------
#
# ``axis=None`` flattens each array first. With these tables it raises nothing and loses the rows.

print(np.concatenate([np.zeros((2, 3)), np.zeros((2, 4))], axis=None).shape)
# => (14,)
