"""
ValueError: could not broadcast input array from shape (3,4,4) into …
=====================================================================

The value does not fit into the part of the array that it is written to: print both shapes, then move the
channels, cut or pad the value, or make the target larger.

.. fix::

   - canvas[:] = image
   + canvas[:] = image.transpose(1, 2, 0)
   + buffer[: len(last)] = last
"""

# sphinx_gallery_tags = ["shape", "assignment", "image", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Layers of torch such as ``Conv2d`` want the channels first; colour images as arrays of Pillow and OpenCV have them
# last.

canvas = np.zeros((4, 4, 3), dtype=np.float32)
image = torch.ones(3, 4, 4).numpy()
try:
    canvas[:] = image
except ValueError as error:
    print(error)
# => could not broadcast input array from shape (3,4,4) into shape (4,4,3)

# %%
# torch has other words for it.

target = torch.zeros(4, 4, 3)
try:
    target[:] = torch.from_numpy(image)
except RuntimeError as error:
    print(error)
# => The expanded size of the tensor (3) must match the existing size (4) at non-singleton dimension 2.  Target sizes: [4, 4, 3].  Tensor sizes: [3, 4, 4]

# %%
# The last batch of a loader may be shorter than the place for it, and a mask may choose another number of places
# than there are values.

buffer = np.zeros((4, 2))
last = np.ones((3, 2))
try:
    buffer[0:4] = last
except ValueError as error:
    print(error)
# => could not broadcast input array from shape (3,2) into shape (4,2)
mask = torch.tensor([True, True, False])
try:
    torch.zeros(3)[mask] = torch.ones(3)
except RuntimeError as error:
    print(error)
# => shape mismatch: value tensor of shape [3] cannot be broadcast to indexing result of shape [2]
try:
    np.zeros(3)[mask.numpy()] = np.ones(3)
except ValueError as error:
    print(error)
# => NumPy boolean array indexing assignment cannot assign 3 input values to the 2 output values where the mask is true

# %%
# Making an object array of arrays raises this, too, if they agree in the first length and differ in another, as these
# samples do.

samples = [np.zeros((3, 4)), np.zeros((3, 5))]
try:
    np.array(samples, dtype=object)
except ValueError as error:
    print(error)
# => could not broadcast input array from shape (3,4) into shape (3,)

# %%
# The fix
# -------
#
# Move the channels last; ``transpose(2, 0, 1)`` moves them first.

canvas[:] = image.transpose(1, 2, 0)
target[:] = torch.from_numpy(image).permute(1, 2, 0)
print(canvas.shape, target.shape)
# => (4, 4, 3) torch.Size([4, 4, 3])

# %%
# Take the length from the value.

buffer[: len(last)] = last
print(buffer[:, 0])
# => [1. 1. 1. 0.]

# %%
# Choose the same places on both sides.

values = torch.zeros(3)
values[mask] = torch.ones(3)[mask]
print(values)
# => tensor([1., 1., 0.])

# %%
# Keep samples of different sizes in a list, or pad them.

print([sample.shape for sample in samples])
# => [(3, 4), (3, 5)]
widest = max(sample.shape[1] for sample in samples)
print(
    np.stack([np.pad(sample, ((0, 0), (0, widest - sample.shape[1]))) for sample in samples]).shape
)
# => (2, 3, 5)

# %%
# What does not help
# ------------------
#
# ``reshape`` gives the right shape and puts three values of one channel into the first pixel. ``transpose`` puts one of
# each channel there.

ramp = np.arange(48).reshape(3, 4, 4)
print(ramp.reshape(4, 4, 3)[0, 0], ramp.transpose(1, 2, 0)[0, 0])
# => [0 1 2] [ 0 16 32]
