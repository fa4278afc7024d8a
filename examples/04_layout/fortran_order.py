"""
Fortran-ordered array to a tensor
=================================

``torch.from_numpy`` shares a Fortran-ordered array without a copy; only calls that need row-major
memory, such as ``view``, fail until you call ``contiguous()``.
"""

# sphinx_gallery_tags = ["layout", "strides", "copy"]

import numpy as np
import torch

# %%
# Column-major arrays come from linear algebra routines, from files of other languages and from a
# plain transpose. A tensor shares their memory, since strides can express the order.

array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
tensor = torch.from_numpy(array)
print(tensor.stride(), tensor.is_contiguous())
# => (1, 2) False
print(np.shares_memory(tensor.numpy(), array))
# => True

# %%
# Values and results are unaffected. What differs is which functions need a copy:
# :meth:`torch.Tensor.view` refuses, :meth:`torch.Tensor.reshape` copies.

try:
    tensor.view(-1)
except RuntimeError as error:
    print(error)
# => view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.
print(tensor.reshape(-1))
# => tensor([0., 1., 2., 3., 4., 5.], dtype=torch.float64)

# %%
# Copies keep the order, as :func:`torch.clone` documents for its default. Neither
# :func:`torch.tensor` nor a cast makes the tensor contiguous, and an element-wise result inherits
# the order again.

for copied in [torch.tensor(array), tensor.clone(), tensor.float(), tensor + 1]:
    print(copied.stride(), copied.is_contiguous())
# => (1, 2) False
# => (1, 2) False
# => (1, 2) False
# => (1, 2) False

# %%
# ``contiguous`` does, and so does the row-major order asked for on the NumPy side.

print(tensor.contiguous().stride())
# => (3, 1)
print(torch.from_numpy(np.ascontiguousarray(array)).stride())
# => (3, 1)
print(tensor.clone(memory_format=torch.contiguous_format).stride())
# => (3, 1)

# %%
# The transpose of a column-major matrix is row-major, in the same memory. When the algorithm can
# work on the transpose, no copy is needed.

print(tensor.T.is_contiguous())
# => True
print(tensor.T.view(-1))
# => tensor([0., 3., 1., 4., 2., 5.], dtype=torch.float64)

# %%
# Code that reads the memory instead of the elements sees the columns first. This is why an exchange
# of raw bytes has to name the order, as ``tobytes`` does in its argument.

print(np.frombuffer(array.tobytes(), dtype=np.float64))
# => [0. 1. 2. 3. 4. 5.]
print(np.frombuffer(array.tobytes(order="F"), dtype=np.float64))
# => [0. 3. 1. 4. 2. 5.]

# %%
# :func:`torch.frombuffer` accepts only row-major memory without gaps. The transpose is such memory.

try:
    torch.frombuffer(array, dtype=torch.float64)
except RuntimeError as error:
    print(error)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)
print(torch.frombuffer(array.T, dtype=torch.float64))
# => tensor([0., 3., 1., 4., 2., 5.], dtype=torch.float64)
