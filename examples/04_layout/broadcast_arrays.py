"""
np.broadcast_to array to a tensor: one write changes all rows
=============================================================

Copy a ``np.broadcast_to`` array before you write to its tensor: all rows share the same memory, so
writing one element changes every row of the read-only array.
"""

# sphinx_gallery_tags = ["layout", "broadcasting", "read-only", "warning"]

import numpy as np
import torch

# %%
# :func:`numpy.broadcast_to` repeats values with a stride of zero. Every row is the same memory, and
# NumPy makes the result read-only, since a write to one row would change all.

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
# A tensor keeps the strides and loses the protection. The warning is the only trace of it, and
# appears once a process: :doc:`/gallery/04_layout/read_only_flag`.

tensor = torch.from_numpy(repeated)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(tensor.stride())
# => (0, 1)

# %%
# torch `refuses <https://github.com/pytorch/pytorch/issues/17935>`__ to compute new values for a
# whole tensor whose elements share memory. Assigning one value to all of it is let through in 2.15
# and refused in 2.13.

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
# The guard is not complete. A single element has no overlap with itself, nor has a single row, so
# both are written, and the change shows in every row of the read-only array.

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
# ``fill_`` and ``zero_`` go through as well: `repeating the same write
# <https://github.com/pytorch/pytorch/pull/39878>`__ does no harm to the result.

tensor.zero_()
print(row)
# => [0. 0.]

# %%
# A copy of the broadcast array is a real matrix, with memory for each element. Make it before the
# tensor, or clone the tensor.

owned = torch.from_numpy(repeated.copy())
owned[0, 0] = 1
print(owned)
# => tensor([[1., 0.],
# =>         [0., 0.],
# =>         [0., 0.]], dtype=torch.float64)
print(tensor.clone().stride())
# => (2, 1)

# %%
# Often the repetition is not needed: arithmetic broadcasts by itself, so pass the row.

print(torch.ones(3, 2, dtype=torch.float64) + torch.from_numpy(row))
# => tensor([[1., 1.],
# =>         [1., 1.],
# =>         [1., 1.]], dtype=torch.float64)
