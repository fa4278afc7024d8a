"""
TypeError: argument 'other' … must be Tensor, not numpy.ndarray
===============================================================

``torch.add``, ``torch.cat`` and assignments into a tensor do not convert a NumPy array: call
``torch.from_numpy`` on it first.

.. fix::

   - torch.add(tensor, array)
   + other = torch.from_numpy(array)
   + torch.add(tensor, other)
"""

# sphinx_gallery_tags = ["from_numpy", "assignment", "functions", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``add``, ``cat`` and the assignment `raise for arrays
# <https://github.com/pytorch/pytorch/issues/59237>`__. The first message names the argument, the
# second its position in the list.

tensor = torch.zeros(2)
array = np.array([1.0, 2.0])
try:
    torch.add(tensor, array)
except TypeError as error:
    print(error)
# => add(): argument 'other' (position 2) must be Tensor, not numpy.ndarray
try:
    torch.cat([tensor, array])
except TypeError as error:
    print(error)
# => expected Tensor as element 1 in argument 0, but got numpy.ndarray
try:
    tensor[:] = array
except TypeError as error:
    print(error)
# => can't assign a numpy.ndarray to a torch.FloatTensor

# %%
# The fix
# -------
#
# Convert the array first; :func:`torch.from_numpy` shares its memory. The assignment casts to the
# dtype of the tensor. ``add`` and ``cat`` promote instead, so append ``.to(tensor.dtype)`` to keep
# ``float32``.

other = torch.from_numpy(array)
tensor[:] = other
print(torch.add(tensor, other), torch.cat([tensor, other]).dtype)
# => tensor([2., 4.], dtype=torch.float64) torch.float64

# %%
# You can assign a single ``float64`` element directly; a ``float32`` element needs ``item()``
# (:doc:`/gallery/06_mixed_expressions/assignment`). You can also assign this tensor to the array.

tensor[0] = array[1]
array[:] = tensor
print(tensor, array)
# => tensor([2., 2.]) [2. 2.]

# %%
# What does not help
# ------------------
#
# Assigning a list raises as well.

try:
    tensor[:] = array.tolist()
except TypeError as error:
    print(error)
# => can't assign a list to a torch.FloatTensor

# %%
# ``torch.Tensor`` accepts this array but casts it to ``float32``, which can change integers above
# 2**24.

ids = np.array([16_777_217])
print(torch.Tensor(ids).long(), torch.from_numpy(ids))
# => tensor([16777216]) tensor([16777217])

# %%
# Writing through ``numpy()`` works, but autograd does not notice the write: it computes the
# gradient of the square with the new values.

leaf = torch.ones(2, requires_grad=True)
loss = (leaf**2).sum()
leaf.detach().numpy()[:] = [10.0, 20.0]
loss.backward()
print(leaf.grad)
# => tensor([20., 40.])
