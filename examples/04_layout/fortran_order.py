"""
Fortran-ordered array to a tensor
=================================

``torch.from_numpy`` shares a Fortran-ordered array without a copy, so ``np.ascontiguousarray`` is
not needed. But a ``view`` that merges its axes raises: call ``reshape`` instead.
"""

# sphinx_gallery_tags = ["layout", "strides", "copy"]

import numpy as np
import torch

# %%
# A plain transpose of a row-major array, for example, is column-major. Strides can express this
# order, so the tensor shares the memory.

array = np.asfortranarray(np.arange(6.0).reshape(2, 3))
tensor = torch.from_numpy(array)
print(tensor.stride(), tensor.is_contiguous())
# => (1, 2) False
print(np.shares_memory(tensor.numpy(), array))
# => True

# %%
# The values are the same. But merging the axes of this tensor needs a copy:
# :meth:`torch.Tensor.view` raises, and :meth:`torch.Tensor.reshape` copies.

try:
    tensor.view(-1)
except RuntimeError as error:
    print(error)
# => view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead.
print(tensor.reshape(-1))
# => tensor([0., 1., 2., 3., 4., 5.], dtype=torch.float64)

# %%
# These calls keep the order, as documented for :func:`torch.clone`: :func:`torch.tensor`,
# ``clone``, the cast and the addition do not make the tensor contiguous.

for copied in [torch.tensor(array), tensor.clone(), tensor.float(), tensor + 1]:
    print(copied.stride(), copied.is_contiguous())
# => (1, 2) False
# => (1, 2) False
# => (1, 2) False
# => (1, 2) False

# %%
# To get row-major order, call ``contiguous()`` or :func:`numpy.ascontiguousarray`, or pass
# ``memory_format`` to ``clone``.

print(tensor.contiguous().stride())
# => (3, 1)
print(torch.from_numpy(np.ascontiguousarray(array)).stride())
# => (3, 1)
print(tensor.clone(memory_format=torch.contiguous_format).stride())
# => (3, 1)

# %%
# The transpose of a column-major matrix is row-major, in the same memory. If your algorithm can
# work on the transpose, give it that instead of a copy.

print(tensor.T.is_contiguous())
# => True
print(tensor.T.view(-1))
# => tensor([0., 3., 1., 4., 2., 5.], dtype=torch.float64)

# %%
# By default ``tobytes`` writes the elements row by row; ``order="F"`` writes them column by column.
# When you exchange raw bytes, state the order.

print(np.frombuffer(array.tobytes(), dtype=np.float64))
# => [0. 1. 2. 3. 4. 5.]
print(np.frombuffer(array.tobytes(order="F"), dtype=np.float64))
# => [0. 3. 1. 4. 2. 5.]

# %%
# :func:`torch.frombuffer` raises for this array, which is not row-major. Its transpose is, so it
# works.

try:
    torch.frombuffer(array, dtype=torch.float64)
except RuntimeError as error:
    print(error)
# => could not retrieve a contiguous buffer from the given object (non-contiguous buffers are not supported)
print(torch.frombuffer(array.T, dtype=torch.float64))
# => tensor([0., 3., 1., 4., 2., 5.], dtype=torch.float64)
