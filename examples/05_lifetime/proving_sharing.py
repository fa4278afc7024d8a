"""
How to check whether tensor and array share memory
==================================================

``np.shares_memory(array, tensor.numpy())`` tells you whether a tensor and an array share memory.
They may share it although ``data_ptr()`` differs or ``is`` is false.
"""

# sphinx_gallery_tags = ["sharing", "data_ptr", "storage"]

import numpy as np
import torch

# %%
# :func:`numpy.shares_memory` checks whether two arrays have at least one byte in common. Pass the
# tensor as ``tensor.numpy()``, which shares the memory.

array = np.zeros(6)
tensor = torch.from_numpy(array)
print(np.shares_memory(array, tensor.numpy()))
# => True
print(np.shares_memory(array, tensor.clone().numpy()))
# => False

# %%
# A false ``is`` does not disprove sharing. Each call of ``numpy()`` makes a new array object on the
# same memory, and the ``base`` of that array is a tensor, not the original array.

print(tensor.numpy() is tensor.numpy())
# => False
print(tensor.numpy().base is array)
# => False

# %%
# :meth:`torch.Tensor.data_ptr` is the address of the first element. For CPU tensors that are not
# empty, equal addresses prove sharing. Different addresses do not disprove it, because a view may
# start elsewhere in the same memory.

tail = tensor[2:]
print(tail.data_ptr() == array.ctypes.data)
# => False
print(tail.data_ptr() == array.ctypes.data + 2 * array.itemsize)
# => True
print(np.shares_memory(array, tail.numpy()))
# => True

# %%
# :func:`numpy.may_share_memory` compares the first and last address of each array by default. It
# does not look at the elements between them, so it returns ``True`` even for interleaved views
# without a common element.

even, odd = tensor[::2].numpy(), tensor[1::2].numpy()
print(np.shares_memory(even, odd), np.may_share_memory(even, odd))
# => False True

# %%
# Empty tensors have no bytes to share, so :func:`numpy.shares_memory` returns ``False``. Yet two
# unrelated empty tensors have equal addresses.

empty = torch.zeros(0)
print(np.shares_memory(empty.numpy(), empty.numpy()))
# => False
print(empty.data_ptr() == torch.zeros(0).data_ptr())
# => True

# %%
# This check needs tensors that convert to NumPy. Call ``detach`` if the tensor requires a gradient.
# If NumPy lacks the dtype, use a view with another dtype of the same size.

weights = torch.ones(2, requires_grad=True)
print(np.shares_memory(weights.detach().numpy(), weights.detach().numpy()))
# => True
half = torch.ones(2, dtype=torch.bfloat16)
print(np.shares_memory(half.view(torch.int16).numpy(), half[1:].view(torch.int16).numpy()))
# => True

# %%
# As a last resort, write a value and look for the change. It changes the data, so restore the
# value.

before = array[0]
array[0] = before + 1
print(tensor[0].item() == before + 1)
# => True
array[0] = before

# %%
# To check whether two views of one tensor share a storage, compare the addresses of their
# storages. Two such views may have no element in common, but each keeps the whole storage in
# memory: :doc:`/gallery/05_lifetime/small_view_large_buffer`.

first, second = tensor[:3], tensor[3:]
print(np.shares_memory(first.numpy(), second.numpy()))
# => False
print(first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr())
# => True
