"""
NumPy array to tensor: torch.from_numpy shares memory
=====================================================

``torch.from_numpy`` does not copy: the tensor uses the array's memory, so a write to either changes
both, until one of them is given new memory.
"""

# sphinx_gallery_tags = ["sharing", "from_numpy"]

import numpy as np
import torch

# %%
# :func:`torch.from_numpy` keeps shape and dtype. The next line writes through the tensor.

array = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
tensor = torch.from_numpy(array)
tensor[2, 1] = 60
print(array)
# => [[ 1.  2.]
# =>  [ 3.  4.]
# =>  [ 5. 60.]]

# %%
# A write to the array changes the tensor as well.

array[0, 0] = 10
print(tensor)
# => tensor([[10.,  2.],
# =>         [ 3.,  4.],
# =>         [ 5., 60.]], dtype=torch.float64)

# %%
# One assignment can change many elements. Writing a number to a row of the tensor overwrites that
# row of the array.

tensor[1] = -1
print(array)
# => [[10.  2.]
# =>  [-1. -1.]
# =>  [ 5. 60.]]

# %%
# They share memory but remain separate objects, each with the type and methods of its own library.
# Use :func:`torch.is_tensor` to tell them apart.

print(type(tensor).__name__, torch.is_tensor(tensor))
# => Tensor True
print(type(array).__name__, torch.is_tensor(array))
# => ndarray False

# %%
# You can check for sharing without writing. :func:`numpy.shares_memory` compares the memory of two
# arrays; :meth:`torch.Tensor.data_ptr` returns the address of the first element.

print(np.shares_memory(tensor.numpy(), array))
# => True
print(tensor.data_ptr() == array.ctypes.data)
# => True

# %%
# A slice of an array is a view, and the tensor of this slice is a view of the same memory. It shows
# a single column, and its stride of 2 skips the rest of each row.

column = torch.from_numpy(array[:, 1])
print(column.stride(), column.is_contiguous())
# => (2,) False
column[:] = 0
print(array)
# => [[10.  0.]
# =>  [-1.  0.]
# =>  [ 5.  0.]]

# %%
# Converting back to an array shares memory too: :doc:`/gallery/02_tensor_to_numpy/two_views`. To
# stop sharing, see :doc:`/gallery/01_numpy_to_tensor/breaking_sharing`.

print(np.shares_memory(torch.from_numpy(array).numpy(), array))
# => True
