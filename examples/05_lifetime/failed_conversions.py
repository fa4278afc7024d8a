"""
Does a failed conversion leak memory?
=====================================

A ``from_numpy`` or ``numpy()`` call that raises keeps no reference, so you can try it in a loop.
Before torch 2.3 ``from_numpy`` leaked the array if torch lacked the dtype: check ``dtype.kind``
first on those releases.
"""

# sphinx_gallery_tags = ["lifetime", "leak", "error"]

import sys
import weakref

import numpy as np
import torch

# %%
# A tensor on an array holds a reference to it and releases that reference when the tensor is freed.
# :func:`sys.getrefcount` shows this as a difference between two results.

array = np.zeros(3)
before = sys.getrefcount(array)
tensors = [torch.from_numpy(array) for _ in range(5)]
print(sys.getrefcount(array) - before)
# => 5
tensors.clear()
print(sys.getrefcount(array) - before)
# => 0

# %%
# A call that raises has to release the reference too. Before `pull request 121156
# <https://github.com/pytorch/pytorch/pull/121156>`__ it did not if torch lacked the dtype: each
# attempt left one more reference.

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
# With such a leak the memory is not freed, and code that tries many arrays runs out of it. A weak
# reference shows whether the array was freed.

watcher = weakref.ref(objects)
del objects
print(watcher() is None)
# => True

# %%
# These two errors are raised before a reference is taken, so they did not leak.

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
# The same holds for ``numpy()`` on a tensor that requires gradients.

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
# If you support a release with the leak, check the dtype before you convert. ``dtype.kind`` rules
# out objects, text and dates. It does not rule out ``longdouble``, for which torch still raises,
# nor ``uint16`` to ``uint64``, which those releases lack too:
# :doc:`/gallery/03_dtypes/dates_and_bytes`.

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
