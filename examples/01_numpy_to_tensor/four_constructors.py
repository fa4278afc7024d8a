"""
tensor, as_tensor, asarray, from_numpy: copy or share memory?
=============================================================

``torch.tensor`` always copies and ``from_numpy`` always shares; ``as_tensor`` and ``asarray`` share
unless the dtype or the device changes, and ``asarray`` can be told to copy, or never to.
"""

# sphinx_gallery_tags = ["sharing", "copy", "from_numpy", "as_tensor", "creation"]

import numpy as np
import torch

# %%
# One array, four tensors, one write to the array. Only the copy misses it.

array = np.array([1.0, 2.0])
copied = torch.tensor(array)
viewed = torch.as_tensor(array)
chosen = torch.asarray(array)
shared = torch.from_numpy(array)
array[0] = 7
print(copied.tolist())
# => [1.0, 2.0]
print(viewed.tolist(), chosen.tolist(), shared.tolist())
# => [7.0, 2.0] [7.0, 2.0] [7.0, 2.0]

# %%
# With another dtype :func:`torch.as_tensor` and :func:`torch.asarray` have to copy. They do it
# without a word, and later writes no longer meet.

for convert in [torch.tensor, torch.as_tensor, torch.asarray]:
    narrow = convert(array, dtype=torch.float32)
    print(convert.__name__, np.shares_memory(narrow.numpy(), array))
# => tensor False
# => as_tensor False
# => asarray False

# %%
# Another device is the same case. The ``meta`` device stands for a GPU here.

print(torch.as_tensor(array, device="meta").device, torch.asarray(array, device="meta").device)
# => meta meta

# %%
# :func:`torch.from_numpy` takes neither, since it never converts. A cast after it is the copy.

try:
    torch.from_numpy(array, dtype=torch.float32)
except TypeError as error:
    print(str(error).split(".")[-1])
# => from_numpy() takes no keyword arguments
print(torch.from_numpy(array).float().dtype)
# => torch.float32

# %%
# ``asarray`` alone says what you want: ``copy=True`` is a copy of anything, ``copy=False`` is
# shared memory or an error.

print(np.shares_memory(torch.asarray(array, copy=True).numpy(), array))
# => False
try:
    torch.asarray(array, dtype=torch.float32, copy=False)
except ValueError as error:
    print(error)
# => can't alias tensor with dtype 'Double' into dtype 'Float'.

# %%
# Three of them take a list, which has no memory to share, so all three copy. ``from_numpy`` takes
# arrays only.

print(torch.tensor([1.0]), torch.as_tensor([1.0]), torch.asarray([1.0]))
# => tensor([1.]) tensor([1.]) tensor([1.])
try:
    torch.from_numpy([1.0])
except TypeError as error:
    print(error)
# => expected np.ndarray (got list)

# %%
# Given a tensor, ``as_tensor`` and ``asarray`` return that very tensor. ``torch.tensor`` copies and
# warns: :doc:`/gallery/01_numpy_to_tensor/tensors_as_input`.

print(torch.as_tensor(shared) is shared, torch.asarray(shared) is shared)
# => True True

# %%
# A leaf for training comes from ``torch.tensor`` or ``asarray``, which have ``requires_grad``. A
# shared one lets an optimizer write into your array.

weights = torch.asarray(array, requires_grad=True)
with torch.no_grad():
    weights -= 1
print(array)
# => [6. 1.]
