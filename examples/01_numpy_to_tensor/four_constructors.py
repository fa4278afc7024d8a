"""
tensor, as_tensor, asarray, from_numpy: copy or share memory?
=============================================================

``torch.tensor`` copies an array and ``from_numpy`` shares its memory. ``as_tensor`` and ``asarray``
share it or, for another dtype or device, copy. ``asarray`` also copies a 0-d array; its ``copy``
argument forces or forbids a copy.
"""

# sphinx_gallery_tags = ["sharing", "copy", "from_numpy", "as_tensor", "creation"]

import numpy as np
import torch

# %%
# The code below makes four tensors from one array, then writes to the array. The copy keeps the old
# value; the other three show the new one. :doc:`/choose` finds the call for other inputs.

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
# With a different dtype, :func:`torch.as_tensor` and :func:`torch.asarray` have to copy. They copy
# this array silently, and later writes to it do not reach the tensor.

for convert in [torch.tensor, torch.as_tensor, torch.asarray]:
    narrow = convert(array, dtype=torch.float32)
    print(convert.__name__, np.shares_memory(narrow.numpy(), array))
# => tensor False
# => as_tensor False
# => asarray False

# %%
# A different device also needs a copy. The ``meta`` device stands for a GPU here.

print(torch.as_tensor(array, device="meta").device, torch.asarray(array, device="meta").device)
# => meta meta

# %%
# :func:`torch.from_numpy` has no ``dtype`` or ``device`` argument, since it does not convert. Cast
# its result instead; this cast makes a copy.

try:
    torch.from_numpy(array, dtype=torch.float32)
except TypeError as error:
    print(str(error).split(".")[-1])
# => from_numpy() takes no keyword arguments
print(torch.from_numpy(array).float().dtype)
# => torch.float32

# %%
# ``asarray`` lets you choose: ``copy=True`` copies an array; ``copy=False`` shares memory or raises
# an error, but copies a 0-d array.

print(np.shares_memory(torch.asarray(array, copy=True).numpy(), array))
# => False
try:
    torch.asarray(array, dtype=torch.float32, copy=False)
except ValueError as error:
    print(error)
# => can't alias tensor with dtype 'Double' into dtype 'Float'.

# %%
# Three of the functions accept a list. A list has no memory to share, so all three copy.
# ``from_numpy`` does not accept a list.

print(torch.tensor([1.0]), torch.as_tensor([1.0]), torch.asarray([1.0]))
# => tensor([1.]) tensor([1.]) tensor([1.])
try:
    torch.from_numpy([1.0])
except TypeError as error:
    print(error)
# => expected np.ndarray (got list)

# %%
# Here ``as_tensor`` and ``asarray`` return the tensor itself. ``torch.tensor`` copies it and warns:
# :doc:`/gallery/01_numpy_to_tensor/tensors_as_input`.

print(torch.as_tensor(shared) is shared, torch.asarray(shared) is shared)
# => True True

# %%
# For a trainable tensor, pass ``requires_grad`` to ``torch.tensor`` or ``asarray``. If the tensor
# shares memory, the optimizer writes into your array.

weights = torch.asarray(array, requires_grad=True)
with torch.no_grad():
    weights -= 1
print(array)
# => [6. 1.]
