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
# ``+=`` on a tensor is an in-place operation: the array that shares its memory follows.

tensor = torch.zeros(3)
array = tensor.numpy()
tensor += 1
print(array)
# => [1. 1. 1.]

# %%
# ``tensor = tensor + 1`` computes a new tensor and gives it the old name. The array still shows the
# old memory, which nothing else refers to now.

tensor = tensor + 1
print(tensor)
# => tensor([2., 2., 2.])
print(array)
# => [1. 1. 1.]
print(np.shares_memory(array, tensor.numpy()))
# => False

# %%
# The two share nothing from here on, so in-place updates no longer reach the array either.

tensor += 100
print(array)
# => [1. 1. 1.]

# %%
# The names follow the same rule in NumPy: ``array += 1`` writes, ``array = array + 1`` rebinds.

other = torch.zeros(3)
window = other.numpy()
window += 1
window = window + 1
print(other)
# => tensor([1., 1., 1.])
print(window)
# => [2. 2. 2.]

# %%
# To replace all values and keep the sharing, write into the memory: an index on the left side, a
# method that ends in an underscore, or the ``out`` argument of a function.

target = torch.zeros(3)
shown = target.numpy()
target[:] = target + 1
target.mul_(5)
torch.add(target, 1, out=target)
print(shown)
# => [6. 6. 6.]

# %%
# A reassignment inside a function loses the sharing unnoticed: only the second function changes
# what the caller sees. With an array on the right side even ``+=`` rebinds:
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
