"""
torch.tensor always copies
==========================

``torch.tensor`` copies the array, so later writes to it do not change the tensor, and the reverse.
``as_tensor``, ``asarray``, ``from_numpy`` and ``from_dlpack`` can share memory.
"""

# sphinx_gallery_tags = ["copy", "sharing", "correction"]

import numpy as np
import torch

# %%
# :func:`torch.tensor` copies the values to new memory, so a later update of the array does not
# change the tensor.

array = np.array([0.0, 1.0, 2.0])
tensor = torch.tensor(array)
array += 1
print(array, tensor)
# => [1. 2. 3.] tensor([0., 1., 2.], dtype=torch.float64)

# %%
# Writes to the tensor do not change the array either.

tensor[0] = 100
print(array)
# => [1. 2. 3.]

# %%
# A tensor from an array need not be a copy. Of these five calls, only ``torch.tensor`` copies: the
# others share the memory of this array.

for convert in [torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy, torch.from_dlpack]:
    print(convert.__name__, np.shares_memory(convert(array).numpy(), array))
# => tensor False
# => as_tensor True
# => asarray True
# => from_numpy True
# => from_dlpack True

# %%
# The method :meth:`torch.Tensor.new_tensor` `copies too
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.new_tensor.html>`__. By default, the
# new tensor has the dtype and device of the tensor that you call it on.

template = torch.zeros(1, dtype=torch.float16)
print(template.new_tensor(array))
# => tensor([1., 2., 3.], dtype=torch.float16)

# %%
# Copy if the memory must not be written to. ``as_tensor`` warns of a read-only array, once in a
# program, since a tensor has no read-only flag; ``torch.tensor`` does not warn:
# :doc:`/gallery/13_errors/read_only_array`.

array.flags.writeable = False
shared = torch.as_tensor(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
copied = torch.tensor(array)
print(np.shares_memory(copied.numpy(), array))
# => False

# %%
# If you change the dtype, the copy is not an extra one, because a new dtype needs new memory
# anyway. Pass ``dtype`` in the same call, so that the values are copied once.

print(torch.tensor(array, dtype=torch.float32))
# => tensor([1., 2., 3.])

# %%
# If the input is a tensor, ``torch.tensor`` warns and recommends ``clone``. If the input may be an
# array or a tensor, use :func:`torch.asarray` with ``copy=True``, which accepts the two below
# without a warning: :doc:`/gallery/01_numpy_to_tensor/asarray`.

print(torch.tensor(copied) is copied)
# => False
# => UserWarning: To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).
print(torch.asarray(copied, copy=True) is copied, torch.asarray(array, copy=True) is array)
# => False False
