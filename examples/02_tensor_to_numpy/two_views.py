"""
Tensor to NumPy array: tensor.numpy() shares memory
===================================================

A tensor and the array from ``tensor.numpy()`` share memory: when you change the tensor in place,
the NumPy array changes too, and the other way round. Copy with ``tensor.numpy().copy()``.
"""

# sphinx_gallery_tags = ["sharing", "numpy", "in-place"]

import numpy as np
import torch

# %%
# The :class:`numpy.ndarray` of :meth:`torch.Tensor.numpy` uses the memory of the
# :class:`torch.Tensor`, as the equal addresses show. The tensor remains usable.

tensor = torch.zeros(4)
array = tensor.numpy()
print(array)
# => [0. 0. 0. 0.]
print(np.shares_memory(array, tensor.numpy()))
# => True
print(array.ctypes.data == tensor.data_ptr())
# => True

# %%
# The underscore in ``add_`` says that the method works in place, so the array changes as well.

tensor.add_(1)
print(tensor)
# => tensor([1., 1., 1., 1.])
print(array)
# => [1. 1. 1. 1.]

# %%
# It works in the other direction too: ``array += 1`` is an in-place NumPy operation, so the tensor
# changes as well.

array += 1
print(array)
# => [2. 2. 2. 2.]
print(tensor)
# => tensor([2., 2., 2., 2.])

# %%
# You can also write a single element, on either side and with that library's usual indexing.

array[0] = -5
tensor[-1] = 9
print(tensor)
# => tensor([-5.,  2.,  2.,  9.])
print(array)
# => [-5.  2.  2.  9.]

# %%
# An operation such as ``array * 2`` makes a new array, which shares no memory with the tensor;
# ``array`` itself still does. The same holds for tensors:
# :doc:`/gallery/02_tensor_to_numpy/rebinding`.

doubled = array * 2
doubled[0] = 0
print(np.shares_memory(doubled, array))
# => False
print(tensor[0].item())
# => -5.0

# %%
# The opposite conversion shares memory in the same way:
# :doc:`/gallery/01_numpy_to_tensor/from_numpy`. If later writes must not change the values, make a
# copy: :doc:`/gallery/02_tensor_to_numpy/snapshots`.

snapshot = tensor.numpy().copy()
tensor.zero_()
print(snapshot)
# => [-5.  2.  2.  9.]
