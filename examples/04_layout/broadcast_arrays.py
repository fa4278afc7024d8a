"""
np.broadcast_to array to a tensor: one write changes several elements
=====================================================================

Copy a ``np.broadcast_to`` array before you write to its tensor: repeated elements share memory, so
one write changes several elements of the read-only array.
"""

# sphinx_gallery_tags = ["layout", "broadcasting", "read-only", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.broadcast_to` repeats values with a stride of zero, so these rows are the same
# memory. NumPy makes the result read-only, since a write to one row would change the others.

row = np.array([1.0, 2.0])
repeated = np.broadcast_to(row, (3, 2))
print(repeated.strides, repeated.flags.writeable)
# => (0, 8) False
try:
    repeated[0, 0] = 9
except ValueError as error:
    print(error)
# => assignment destination is read-only

# %%
# The tensor has the same strides but no write protection. You get a warning, once per process:
# :doc:`/gallery/04_layout/read_only_flag`.

tensor = torch.from_numpy(repeated)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(tensor.stride())
# => (0, 1)

# %%
# Several elements share memory, so adding to the whole tensor in place `raises
# <https://github.com/pytorch/pytorch/issues/17935>`__. Assigning one value to the whole tensor
# raises in torch 2.2 to 2.14, and works before and after.

try:
    tensor.add_(1)
except RuntimeError as error:
    print(error)
# => unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.
try:
    tensor[:] = 0
except RuntimeError as error:
    print(error)

# %%
# This check does not catch every write. A single element or a single row does not overlap itself,
# so you can write to it, and the other rows of the read-only array change too.

tensor[0, 0] = 9
print(repeated)
# => [[9. 0.]
# =>  [9. 0.]
# =>  [9. 0.]]
tensor[2].mul_(10)
print(repeated)
# => [[90.  0.]
# =>  [90.  0.]
# =>  [90.  0.]]
print(row)
# => [90.  0.]

# %%
# ``zero_`` works as well: `writing the same value repeatedly
# <https://github.com/pytorch/pytorch/pull/39878>`__ does not spoil the result.

tensor.zero_()
print(row)
# => [0. 0.]

# %%
# A copy of the broadcast array has separate memory for each element. Copy the array before you make
# the tensor, or clone the tensor.

owned = torch.from_numpy(repeated.copy())
owned[0, 0] = 1
print(owned)
# => tensor([[1., 0.],
# =>         [0., 0.],
# =>         [0., 0.]], dtype=torch.float64)
print(tensor.clone().stride())
# => (2, 1)

# %%
# Here you need no repetition: the addition broadcasts, so pass the row itself.

print(torch.ones(3, 2, dtype=torch.float64) + torch.from_numpy(row))
# => tensor([[1., 1.],
# =>         [1., 1.],
# =>         [1., 1.]], dtype=torch.float64)
