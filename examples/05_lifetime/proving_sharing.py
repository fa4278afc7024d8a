"""
How to check whether tensor and array share memory
==================================================

``np.shares_memory(array, tensor.numpy())`` tells whether a tensor and an array share memory.
``data_ptr()`` is equal only where both begin at the same element, and ``is`` proves nothing.
"""

# sphinx_gallery_tags = ["sharing", "data_ptr", "storage"]

import numpy as np
import torch

# %%
# :func:`numpy.shares_memory` answers the question itself: is there a byte that both use? The tensor
# is given as an array, and the conversion copies nothing.

array = np.zeros(6)
tensor = torch.from_numpy(array)
print(np.shares_memory(array, tensor.numpy()))
# => True
print(np.shares_memory(array, tensor.clone().numpy()))
# => False

# %%
# Identity of objects proves nothing. Each call makes a new array object for the same memory, and
# ``base`` names a tensor, not the array that was there first.

print(tensor.numpy() is tensor.numpy())
# => False
print(tensor.numpy().base is array)
# => False

# %%
# :meth:`torch.Tensor.data_ptr` is the address of the first element. Equal addresses prove sharing;
# different ones do not exclude it, because a view may start elsewhere in the same memory.

tail = tensor[2:]
print(tail.data_ptr() == array.ctypes.data)
# => False
print(tail.data_ptr() == array.ctypes.data + 2 * array.itemsize)
# => True
print(np.shares_memory(array, tail.numpy()))
# => True

# %%
# :func:`numpy.may_share_memory` compares the ends of the two ranges only. It is quick, and says
# ``True`` for views that interleave without a common element.

even, odd = tensor[::2].numpy(), tensor[1::2].numpy()
print(np.shares_memory(even, odd), np.may_share_memory(even, odd))
# => False True

# %%
# Empty tensors have no bytes to share. Two that have nothing in common report equal addresses all
# the same.

empty = torch.zeros(0)
print(np.shares_memory(empty.numpy(), empty.numpy()))
# => False
print(empty.data_ptr() == torch.zeros(0).data_ptr())
# => True

# %%
# The test needs tensors that convert. Detach those that require a gradient; where NumPy lacks the
# dtype, compare the bytes through a view of another dtype.

weights = torch.ones(2, requires_grad=True)
print(np.shares_memory(weights.detach().numpy(), weights.detach().numpy()))
# => True
half = torch.ones(2, dtype=torch.bfloat16)
print(np.shares_memory(half.view(torch.int16).numpy(), half[1:].view(torch.int16).numpy()))
# => True

# %%
# A write is the last resort: it works with every library, and changes data. Restore the value.

before = array[0]
array[0] = before + 1
print(tensor[0].item() == before + 1)
# => True
array[0] = before

# %%
# Between tensors, the address of the storage tells whether they were cut from one allocation. It
# says more than the bytes they use, and decides what stays in memory:
# :doc:`/gallery/05_lifetime/small_view_large_buffer`.

first, second = tensor[:3], tensor[3:]
print(np.shares_memory(first.numpy(), second.numpy()))
# => False
print(first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr())
# => True
