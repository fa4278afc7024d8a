"""
NumPy array to tensor: torch.from_numpy shares memory
=====================================================

``torch.from_numpy`` never copies: the tensor and the array share memory, so a write to either
changes both.
"""

# sphinx_gallery_tags = ["sharing", "from_numpy"]

import numpy as np
import torch

# %%
# :func:`torch.from_numpy` copies nothing. Its tensor is a second description of the array's
# memory, so a write through the tensor changes the array.

array = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
tensor = torch.from_numpy(array)
tensor[2, 1] = 60
print(array)
# => [[ 1.  2.]
# =>  [ 3.  4.]
# =>  [ 5. 60.]]

# %%
# It works the other way round just as well. Neither side is the original: both read the memory
# when they are used, not when they are made.

array[0, 0] = 10
print(tensor)
# => tensor([[10.,  2.],
# =>         [ 3.,  4.],
# =>         [ 5., 60.]], dtype=torch.float64)

# %%
# One assignment may cover many elements. Writing a number to a row of the tensor overwrites that
# row of the array, and no other.

tensor[1] = -1
print(array)
# => [[10.  2.]
# =>  [-1. -1.]
# =>  [ 5. 60.]]

# %%
# The memory is common, the objects are not: each has the type and the methods of its library.
# :func:`torch.is_tensor` tells them apart.

print(type(tensor).__name__, torch.is_tensor(tensor))
# => Tensor True
print(type(array).__name__, torch.is_tensor(array))
# => ndarray False

# %%
# Two tests prove sharing without a write. :func:`numpy.shares_memory` compares the bytes that two
# arrays use; :meth:`torch.Tensor.data_ptr` is the address of the first element.

print(np.shares_memory(tensor.numpy(), array))
# => True
print(tensor.data_ptr() == array.ctypes.data)
# => True

# %%
# A slice of an array is a view in NumPy, and stays one here: this tensor sees a single column,
# and skips the rest of each row with its stride.

column = torch.from_numpy(array[:, 1])
print(column.stride(), column.is_contiguous())
# => (2,) False
column[:] = 0
print(array)
# => [[10.  0.]
# =>  [-1.  0.]
# =>  [ 5.  0.]]

# %%
# The way back shares too, as :doc:`/gallery/02_tensor_to_numpy/two_views` shows. How to end the
# sharing is the subject of :doc:`/gallery/01_numpy_to_tensor/breaking_sharing`.

print(np.shares_memory(torch.from_numpy(array).numpy(), array))
# => True
