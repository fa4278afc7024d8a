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
# :meth:`torch.Tensor.numpy` copies nothing. The :class:`torch.Tensor` stays usable, and the
# :class:`numpy.ndarray` describes the same bytes, as the equal addresses show.

tensor = torch.zeros(4)
array = tensor.numpy()
print(array)
# => [0. 0. 0. 0.]
print(np.shares_memory(array, tensor.numpy()))
# => True
print(array.ctypes.data == tensor.data_ptr())
# => True

# %%
# A torch operation whose name ends in an underscore works in place, so the array changes as well.

tensor.add_(1)
print(tensor)
# => tensor([1., 1., 1., 1.])
print(array)
# => [1. 1. 1. 1.]

# %%
# The other direction is the same: an augmented assignment on the array is an in-place NumPy
# operation, and the tensor shows its result.

array += 1
print(array)
# => [2. 2. 2. 2.]
print(tensor)
# => tensor([2., 2., 2., 2.])

# %%
# Writing one element is enough. Both sides may be indexed with the usual syntax of their library.

array[0] = -5
tensor[-1] = 9
print(tensor)
# => tensor([-5.,  2.,  2.,  9.])
print(array)
# => [-5.  2.  2.  9.]

# %%
# An operation that makes a new array ends the sharing for its result, not for ``array``. The same
# holds for tensors: see :doc:`/gallery/02_tensor_to_numpy/rebinding`.

doubled = array * 2
doubled[0] = 0
print(np.shares_memory(doubled, array))
# => False
print(tensor[0].item())
# => -5.0

# %%
# The opposite conversion shares in the same way: :doc:`/gallery/01_numpy_to_tensor/from_numpy`.
# For values that must not follow later writes, take a snapshot:
# :doc:`/gallery/02_tensor_to_numpy/snapshots`.

snapshot = tensor.numpy().copy()
tensor.zero_()
print(snapshot)
# => [-5.  2.  2.  9.]
