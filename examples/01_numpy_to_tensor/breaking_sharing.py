"""
How to stop a tensor from sharing memory with an array
======================================================

``clone``, ``torch.tensor`` and ``torch.asarray(array, copy=True)`` give a tensor its own memory.
``detach``, ``view``, slices and ``cpu`` still share memory with the array, and so can
``contiguous``.
"""

# sphinx_gallery_tags = ["copy", "sharing"]

import numpy as np
import torch

# %%
# You can copy before or after the conversion. :meth:`numpy.ndarray.copy` and :func:`numpy.copy`
# copy the array; :meth:`torch.Tensor.clone` copies the tensor.

array = np.array([1.0, 2.0, 3.0])
before = torch.from_numpy(array.copy())
function = torch.from_numpy(np.copy(array))
after = torch.from_numpy(array).clone()
array[:] = 0
print(before, function, after)
# => tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64)

# %%
# A single call can do both: ``torch.tensor`` copies, and ``asarray`` and ``to`` copy with
# ``copy=True``.

array[:] = [1, 2, 3]
single = torch.tensor(array)
demanded = torch.asarray(array, copy=True)
moved = torch.from_numpy(array).to(torch.float64, copy=True)
array[:] = 0
print(single, demanded, moved)
# => tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64)

# %%
# This slice, ``view`` and ``reshape`` change shape, strides or offset but not the values, so their
# results share the memory. ``cpu`` returns the tensor itself if it is on the CPU already.
# ``detach`` shares memory too: it only cuts the tensor off from the autograd graph.

tensor = torch.from_numpy(array)
for result in [tensor.detach(), tensor.view(3, 1), tensor[1:], tensor.reshape(1, 3), tensor.cpu()]:
    print(np.shares_memory(result.numpy(), array))
# => True
# => True
# => True
# => True
# => True

# %%
# ``contiguous`` shares the memory of the first tensor below and copies the transposed one, so do
# not rely on it for a copy.

grid = np.zeros((2, 3))
print(np.shares_memory(torch.from_numpy(grid).contiguous().numpy(), grid))
# => True
print(np.shares_memory(torch.from_numpy(grid.T).contiguous().numpy(), grid))
# => False

# %%
# Here :func:`numpy.asarray`, called before the conversion, does not copy either;
# :func:`numpy.array` does.

print(np.shares_memory(torch.from_numpy(np.asarray(array)).numpy(), array))
# => True
print(np.shares_memory(torch.from_numpy(np.array(array)).numpy(), array))
# => False

# %%
# The copies of this transposed array differ in layout. Here ``clone`` and ``np.copy`` keep the
# order of the axes in memory. The array's ``copy`` method has `another default
# <https://numpy.org/doc/stable/reference/generated/numpy.ndarray.copy.html>`__: row after row.

transposed = np.zeros((2, 3)).T
print(torch.from_numpy(transposed).clone().stride())
# => (1, 3)
print(torch.from_numpy(np.copy(transposed)).stride())
# => (1, 3)
print(torch.from_numpy(transposed.copy()).stride())
# => (2, 1)

# %%
# ``tensor + 0`` writes its result to new memory. If your code contains such a step, do not copy
# before it.

print(np.shares_memory((tensor + 0).numpy(), array))
# => False
