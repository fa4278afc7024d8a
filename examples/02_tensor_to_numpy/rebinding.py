"""
tensor += 1 or tensor = tensor + 1: does the array change?
==========================================================

``tensor += 1`` also changes the array from ``tensor.numpy()``, because it writes to the shared
memory. ``tensor = tensor + 1`` makes a new tensor, and the array keeps the old values.
"""

# sphinx_gallery_tags = ["sharing", "in-place", "functions"]

import numpy as np
import torch

# %%
# ``+=`` on a tensor works in place, so the array changes as well.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor += 1
print(array)
# => [1. 1. 1.]

# %%
# ``tensor = tensor + 1`` computes a new tensor and gives it the old name. The array still uses the
# old memory.

tensor = tensor + 1
print(tensor)
# => tensor([2., 2., 2.])
print(array)
# => [1. 1. 1.]
print(np.shares_memory(array, tensor.numpy()))
# => False

# %%
# The two no longer share memory, so later in-place updates do not reach the array either.

tensor += 100
print(array)
# => [1. 1. 1.]

# %%
# The same rule holds for arrays: ``array += 1`` writes in place, ``array = array + 1`` rebinds the
# name.

other = torch.zeros(3)
window = other.numpy()
window += 1
window = window + 1
print(other)
# => tensor([1., 1., 1.])
print(window)
# => [2. 2. 2.]

# %%
# To replace the values and keep sharing, write to the existing memory: index on the left side, call
# a method such as ``mul_``, or pass the ``out`` argument of a function.

target = torch.zeros(3)
shown = target.numpy()
target[:] = target + 1
target.mul_(5)
torch.add(target, 1, out=target)
print(shown)
# => [6. 6. 6.]

# %%
# Assigning to a name inside a function silently ends the sharing: only the second function changes
# the caller's tensor. With an array on the right side, even ``+=`` rebinds:
# :doc:`/gallery/06_mixed_expressions/assignment`.


def scale_new(values):
    values = values * 2


def scale_in_place(values):
    values *= 2


scale_new(target)
print(shown)
# => [6. 6. 6.]
scale_in_place(target)
print(shown)
# => [12. 12. 12.]
