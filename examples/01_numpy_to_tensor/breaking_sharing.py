"""
How to stop a tensor from sharing memory with an array
======================================================

``clone``, ``torch.tensor`` and ``torch.asarray(array, copy=True)`` give a tensor memory of its own;
``detach``, ``view``, slices and ``cpu`` still share the array's, and ``contiguous`` may.
"""

# sphinx_gallery_tags = ["copy", "sharing"]

import numpy as np
import torch

# %%
# A copy can be made on either side of the conversion. With :meth:`numpy.ndarray.copy` or
# :func:`numpy.copy` it is NumPy's, with :meth:`torch.Tensor.clone` it is torch's.

array = np.array([1.0, 2.0, 3.0])
before = torch.from_numpy(array.copy())
function = torch.from_numpy(np.copy(array))
after = torch.from_numpy(array).clone()
array[:] = 0
print(before, function, after)
# => tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64)

# %%
# A single call does the same: the constructor that always copies, or an argument that demands it.

array[:] = [1, 2, 3]
single = torch.tensor(array)
demanded = torch.asarray(array, copy=True)
moved = torch.from_numpy(array).to(torch.float64, copy=True)
array[:] = 0
print(single, demanded, moved)
# => tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64) tensor([1., 2., 3.], dtype=torch.float64)

# %%
# Methods that change the description but no value return a view, and methods that move return
# the tensor itself when it is there already. All of these still share, ``detach`` included: it
# leaves the graph, not the memory.

tensor = torch.from_numpy(array)
for result in [tensor.detach(), tensor.view(3, 1), tensor[1:], tensor.reshape(1, 3), tensor.cpu()]:
    print(np.shares_memory(result.numpy(), array))
# => True
# => True
# => True
# => True
# => True

# %%
# ``contiguous`` copies only if the layout requires it. A call that shares one input and copies the
# next is no way to get a copy.

grid = np.zeros((2, 3))
print(np.shares_memory(torch.from_numpy(grid).contiguous().numpy(), grid))
# => True
print(np.shares_memory(torch.from_numpy(grid.T).contiguous().numpy(), grid))
# => False

# %%
# :func:`numpy.asarray` before the conversion copies nothing either; :func:`numpy.array` does.

print(np.shares_memory(torch.from_numpy(np.asarray(array)).numpy(), array))
# => True
print(np.shares_memory(torch.from_numpy(np.array(array)).numpy(), array))
# => False

# %%
# Copies of an array that is not stored row after row differ in layout. ``clone`` keeps the order of
# the axes in memory, and so does ``np.copy``. The method ``copy`` of an array has `another default
# <https://numpy.org/doc/stable/reference/generated/numpy.ndarray.copy.html>`__: row after row.

transposed = np.zeros((2, 3)).T
print(torch.from_numpy(transposed).clone().stride())
# => (1, 3)
print(torch.from_numpy(np.copy(transposed)).stride())
# => (1, 3)
print(torch.from_numpy(transposed.copy()).stride())
# => (2, 1)

# %%
# Arithmetic that is not in place puts its result in new memory. A chain that contains such a step
# needs no copy.

print(np.shares_memory((tensor + 0).numpy(), array))
# => False
