"""
List to tensor: float32, where an array stays float64
=====================================================

``torch.tensor`` gives a list of Python floats dtype ``float32``, but keeps an array's ``float64``.
Pass ``dtype=torch.float32`` to get the same numbers. A list is copied; an array can be shared.
"""

# sphinx_gallery_tags = ["list", "dtype", "copy"]

import numpy as np
import torch

# %%
# :func:`torch.tensor` gives a list and an array different dtypes: a list of Python floats gets
# torch's default, and an array keeps the dtype that NumPy chose.

values = [[1.5, 2.5], [3.5, 4.5]]
from_list = torch.tensor(values)
from_array = torch.tensor(np.array(values))
print(from_list.dtype, from_array.dtype)
# => torch.float32 torch.float64
print(from_list.tolist() == from_array.tolist())
# => True

# %%
# The values above are equal because both dtypes store them exactly. One tenth is rounded
# differently in the two dtypes, so the comparison gives ``False``.

print(torch.tensor([0.1]) == torch.tensor(np.array([0.1])))
# => tensor([False])

# %%
# Pass ``dtype=torch.float32`` to get the same value from both.

print(torch.tensor(np.array([0.1]), dtype=torch.float32) == torch.tensor([0.1]))
# => tensor([True])

# %%
# A list of mixed Python numbers gets the most general of their types, in the order boolean,
# integer, float, complex.

for mixed in [[True, 2], [True, 2, 0.5], [2, 0.5, 1j]]:
    print(torch.tensor(mixed).dtype)
# => torch.int64
# => torch.float32
# => torch.complex64

# %%
# A list is copied, because its elements are separate objects in memory. An array is one block of
# memory with strides, and :func:`torch.from_numpy` uses that memory directly.

array = np.array(values)
shared = torch.from_numpy(array)
values[0][0] = -1
array[0, 0] = -1
print(from_list[0, 0], shared[0, 0])
# => tensor(1.5000) tensor(-1., dtype=torch.float64)

# %%
# Tuples and ranges work like lists. Sets and generators do not: make a list of them first.

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
# Torch does not convert text to numbers. It treats each string of this list as a sequence whose
# first element is a string again, and so on without end. NumPy's ``astype`` parses the strings.

words = ["1.5", "2.5"]
try:
    torch.tensor(words)
except ValueError as error:
    print(error)
# => too many dimensions 'str'
print(torch.from_numpy(np.array(words).astype(np.float32)))
# => tensor([1.5000, 2.5000])
