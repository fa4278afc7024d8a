"""
Does a failed conversion leak memory?
=====================================

A conversion that raises keeps no reference, so you can try it in a loop. Before torch 2.3 it leaked
the array when its dtype had no counterpart: check ``dtype.kind`` there first.
"""

# sphinx_gallery_tags = ["lifetime", "leak", "error"]

import sys
import weakref

import numpy as np
import torch

# %%
# A tensor on an array counts as one more reference to it, and gives it back when it goes.
# :func:`sys.getrefcount` makes that visible; only differences matter.

array = np.zeros(3)
before = sys.getrefcount(array)
tensors = [torch.from_numpy(array) for _ in range(5)]
print(sys.getrefcount(array) - before)
# => 5
tensors.clear()
print(sys.getrefcount(array) - before)
# => 0

# %%
# A conversion that raises must give it back too. Before `pull request 121156
# <https://github.com/pytorch/pytorch/pull/121156>`__ it did not for a dtype without counterpart:
# each attempt added a reference for good.

objects = np.array([None, 1.5])
before = sys.getrefcount(objects)
for _ in range(5):
    try:
        torch.from_numpy(objects)
    except TypeError:
        pass
print(sys.getrefcount(objects) - before)
# => 0

# %%
# Where references are lost, the memory is never freed, and code that tries many arrays and falls
# back to something else runs out of it. A weak reference tells: it is empty as soon as the array is
# gone.

watcher = weakref.ref(objects)
del objects
print(watcher() is None)
# => True

# %%
# The other errors are found before the reference is taken.

flipped = np.zeros(3)[::-1]
swapped = np.zeros(3, dtype=np.dtype("f8").newbyteorder())
for refused in [flipped, swapped]:
    before = sys.getrefcount(refused)
    for _ in range(5):
        try:
            torch.from_numpy(refused)
        except ValueError:
            pass
    print(sys.getrefcount(refused) - before)
# => 0
# => 0

# %%
# So is the refusal in the other direction.

weights = torch.ones(2, requires_grad=True)
before = sys.getrefcount(weights)
for _ in range(5):
    try:
        weights.numpy()
    except RuntimeError:
        pass
print(sys.getrefcount(weights) - before)
# => 0

# %%
# To support a release that leaks, ask before trying. The kind of the dtype rules out objects, text
# and dates, which are the usual surprises. It lets ``longdouble`` through, which torch refuses all
# the same: :doc:`/gallery/03_dtypes/dates_and_bytes`.

for candidate in [
    np.zeros(2),
    np.array([None]),
    np.array(["a"]),
    np.array(["2024"], dtype="M8[Y]"),
    np.zeros(2, dtype=np.longdouble),
]:
    print(candidate.dtype.kind, candidate.dtype.kind in "biufc")
# => f True
# => O False
# => U False
# => M False
# => f True
