"""
Shapes and sizes from arrays: torch.zeros(array)
================================================

``torch.zeros`` does not accept an array of sizes, nor ``np.zeros`` a tensor of them. Pass
``sizes.tolist()`` or ``tuple(sizes)``. ``array.shape`` and ``tensor.shape`` are tuples that both
libraries accept.
"""

# sphinx_gallery_tags = ["shape", "creation", "silent", "error"]

import numpy as np
import torch

# %%
# A shape is a tuple in both libraries, and :class:`torch.Size` is a subclass of tuple. Each library
# therefore accepts the other's shapes.

array = np.zeros((2, 3))
tensor = torch.zeros(array.shape)
print(tensor.shape == array.shape, np.zeros(tensor.shape).shape)
# => True (2, 3)

# %%
# A shape that you *compute* may be an array. ``torch.zeros`` does not accept such an array as a
# shape, and ``np.zeros`` does not accept a tensor with several sizes.

sizes = np.array([4, 6]) // 2
try:
    torch.zeros(sizes)
except TypeError as error:
    print(error)
# => zeros(): argument 'size' (position 1) must be tuple of ints, not numpy.ndarray
try:
    np.zeros(torch.tensor([2, 3]))
except TypeError as error:
    print(error)
# => expected a sequence of integers or a single integer, got 'tensor([2, 3])'

# %%
# ``tolist`` turns either into a list of Python integers. A tuple of the elements works too, since
# torch accepts NumPy integers in it.

print(torch.zeros(sizes.tolist()).shape, torch.zeros(tuple(sizes)).shape)
# => torch.Size([2, 3]) torch.Size([2, 3])
print(np.zeros(torch.tensor([2, 3]).tolist()).shape)
# => (2, 3)

# %%
# The legacy constructor accepts the array, but reads the sizes as data.

print(torch.Tensor(sizes), torch.Tensor(sizes.tolist()))
# => tensor([2., 3.]) tensor([2., 3.])
print(torch.Tensor(*sizes).shape)
# => torch.Size([2, 3])

# %%
# True division gives floats, which raise even if they are whole numbers. Use ``//``, or convert
# with ``int``.

try:
    torch.zeros(tuple(np.array([4, 6]) / 2))
except TypeError as error:
    print(error)
# => zeros(): argument 'size' (position 1) must be tuple of ints, but found element of type numpy.float64 at pos 0

# %%
# ``reshape``, ``permute``, ``expand`` and ``repeat`` follow the same rule.

try:
    tensor.permute(np.array([1, 0]))
except TypeError as error:
    print(error)
# => permute(): argument 'dims' (position 1) must be tuple of ints, not numpy.ndarray
print(tensor.permute(*np.array([1, 0])).shape, tensor.reshape(np.int64(3), -1).shape)
# => torch.Size([3, 2]) torch.Size([3, 2])

# %%
# A shape is not a tensor, so you compute with it in NumPy or Python. For the number of elements
# call ``numel()``.

print(np.prod(tensor.shape), tensor.shape.numel(), tensor.numel())
# => 6 6 6
