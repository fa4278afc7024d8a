"""
List to tensor: float32, where an array stays float64
=====================================================

``torch.tensor`` makes ``float32`` of a list of Python floats but keeps an array's ``float64``; pass
``dtype`` to get the same numbers. Only an array can be shared instead of copied.
"""

# sphinx_gallery_tags = ["list", "dtype", "copy"]

import numpy as np
import torch

# %%
# :func:`torch.tensor` accepts both, but gives these two different dtypes: a list of Python floats
# gets the default of torch, an array keeps what NumPy chose.

values = [[1.5, 2.5], [3.5, 4.5]]
from_list = torch.tensor(values)
from_array = torch.tensor(np.array(values))
print(from_list.dtype, from_array.dtype)
# => torch.float32 torch.float64
print(from_list.tolist() == from_array.tolist())
# => True

# %%
# The values above agree because both dtypes hold them exactly. Most decimal fractions are rounded
# differently, and then even equality fails.

print(torch.tensor([0.1]) == torch.tensor(np.array([0.1])))
# => tensor([False])

# %%
# State the dtype and the difference is gone.

print(torch.tensor(np.array([0.1]), dtype=torch.float32) == torch.tensor([0.1]))
# => tensor([True])

# %%
# In a mixed list the most general kind wins, in the order boolean, integer, float, complex.

for mixed in [[True, 2], [True, 2, 0.5], [2, 0.5, 1j]]:
    print(torch.tensor(mixed).dtype)
# => torch.int64
# => torch.float32
# => torch.complex64

# %%
# A list can only be copied: its elements are objects scattered in memory. An array is described by
# an address and strides, and :func:`torch.from_numpy` takes both over as they are.

array = np.array(values)
shared = torch.from_numpy(array)
values[0][0] = -1
array[0, 0] = -1
print(from_list[0, 0], shared[0, 0])
# => tensor(1.5000) tensor(-1., dtype=torch.float64)

# %%
# Tuples and ranges count as sequences. Sets and generators do not, for want of an order or a
# length; make a list of them first.

print(torch.tensor((1, 2)), torch.tensor(range(3)))
# => tensor([1, 2]) tensor([0, 1, 2])
try:
    torch.tensor({1, 2})
except RuntimeError as error:
    print(error)
# => Could not infer dtype of set
print(torch.tensor(sorted({1, 2})))
# => tensor([1, 2])

# %%
# Text is not converted to numbers. torch takes a string for a sequence, whose first element is a
# string again, and so on without end. NumPy parses it when asked for a dtype.

words = ["1.5", "2.5"]
try:
    torch.tensor(words)
except ValueError as error:
    print(error)
# => too many dimensions 'str'
print(torch.from_numpy(np.array(words).astype(np.float32)))
# => tensor([1.5000, 2.5000])
