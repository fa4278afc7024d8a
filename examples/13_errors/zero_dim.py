"""
TypeError: len() of a 0-d tensor
================================

The tensor is a single number without an axis, perhaps because ``squeeze()`` removed the last one:
read it with ``item()``, or give it an axis with ``reshape(-1)``.

.. fix::

   - len(tensor)
   + tensor.item()
   + tensor.reshape(-1)
"""

# sphinx_gallery_tags = ["scalar", "shape", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# ``mean()`` without ``dim`` gives a tensor of shape ``torch.Size([])``. It has no axis, so it has no
# length, and iteration and ``[0]`` raise.

tensor = torch.tensor([1.0, 2.0, 3.0]).mean()
print(tensor.shape, tensor.ndim)
# => torch.Size([]) 0
try:
    len(tensor)
except TypeError as error:
    print(error)
# => len() of a 0-d tensor
try:
    list(tensor)
except TypeError as error:
    print(error)
# => iteration over a 0-d tensor
try:
    tensor[0]
except IndexError as error:
    print(error)
# => invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number

# %%
# The same holds for the array of this tensor. NumPy has other messages.

array = tensor.numpy()
try:
    len(array)
except TypeError as error:
    print(error)
# => len() of unsized object
try:
    list(array)
except TypeError as error:
    print(error)
# => iteration over a 0-d array
try:
    array[0]
except IndexError as error:
    print(error)
# => too many indices for array: array is 0-dimensional, but 1 were indexed

# %%
# The fix
# -------
#
# If you want the number, ``item()`` gives it as a Python number, here from a tensor and from an
# array.

print(tensor.item(), array.item())
# => 2.0 2.0

# %%
# If the code that follows needs an axis, add one. ``reshape(-1)`` gives a tensor or an array one
# axis, also if it has a single number. ``np.atleast_1d`` and ``torch.atleast_1d`` leave alone what
# has an axis already.

print(tensor.reshape(-1), array.reshape(-1))
# => tensor([2.]) [2.]
print(torch.atleast_1d(tensor), np.atleast_1d(array))
# => tensor([2.]) [2.]

# %%
# The cause can be ``squeeze()`` on a batch of one, for example the last batch of an epoch: it
# removes the batch axis too. Name the axis that you want to remove.

outputs = torch.zeros(1, 1)
print(outputs.squeeze().shape, outputs.squeeze(1).shape)
# => torch.Size([]) torch.Size([1])
print(np.zeros((1, 1)).squeeze().shape, np.zeros((1, 1)).squeeze(axis=1).shape)
# => () (1,)

# %%
# What does not help
# ------------------
#
# ``tolist()`` returns a list for tensors with axes, but a single number for this one.

print(tensor.tolist(), tensor.reshape(-1).tolist())
# => 2.0 [2.0]
