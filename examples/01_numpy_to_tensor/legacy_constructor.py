"""
torch.Tensor(array) or torch.tensor(array)?
===========================================

Replace ``torch.Tensor(array)`` with ``torch.tensor`` to copy or ``torch.as_tensor`` to share: it
shares ``float32`` arrays, copies all others, and takes a single integer for a size.
"""

# sphinx_gallery_tags = ["sharing", "copy", "creation", "dtype"]

import numpy as np
import torch

# %%
# :class:`torch.Tensor` is the class of all tensors. Calling it is an older way to make one, whose
# use is `discouraged <https://docs.pytorch.org/docs/stable/tensors.html>`__. Given an array it
# always returns the default dtype, so whether it shares depends on the dtype of the array.

singles = np.zeros(3, dtype=np.float32)
doubles = np.zeros(3, dtype=np.float64)
print(np.shares_memory(torch.Tensor(singles).numpy(), singles))
# => True
print(np.shares_memory(torch.Tensor(doubles).numpy(), doubles))
# => False

# %%
# The same line therefore changes its meaning with the input: a write reaches the array in one
# case, and is lost in the other. Nothing is raised.

for array in [singles, doubles]:
    torch.Tensor(array)[0] = 1
print(singles, doubles)
# => [1. 0. 0.] [0. 0. 0.]

# %%
# The constructors with a dtype in their name do the same for that dtype.

print(np.shares_memory(torch.FloatTensor(doubles).numpy(), doubles))
# => False
print(np.shares_memory(torch.DoubleTensor(doubles).numpy(), doubles))
# => True

# %%
# Integers are a worse trap, for they are taken as a *size*. A NumPy integer, and an array of no
# dimensions that holds one, give that many elements of uninitialised memory. Only with one
# dimension, in the last line, is the number an element.

for value in [3, np.int64(3), np.array(3), np.array([3])]:
    print(type(value).__name__, np.shape(value), "->", torch.Tensor(value).shape)
# => int () -> torch.Size([3])
# => int64 () -> torch.Size([3])
# => ndarray () -> torch.Size([3])
# => ndarray (1,) -> torch.Size([1])

# %%
# Floating-point values in the same places are data, or an error.

print(torch.Tensor(np.array(3.5)))
# => tensor(3.5000)
try:
    torch.Tensor(np.float64(3.5))
except TypeError as error:
    print(error)
# => new(): data must be a sequence (got numpy.float64)

# %%
# A dtype cannot be asked for.

try:
    torch.Tensor(doubles, dtype=torch.float64)
except TypeError as error:
    print(str(error).splitlines()[0])
# => new() received an invalid combination of arguments - got (numpy.ndarray, dtype=torch.dtype), but expected one of:

# %%
# The replacements say what they do. :func:`torch.tensor` copies values, :func:`torch.as_tensor`
# shares where it can, and :func:`torch.empty` takes a size.

print(torch.tensor(np.int64(3)), torch.tensor(np.array(3.5), dtype=torch.float32))
# => tensor(3) tensor(3.5000)
print(torch.as_tensor(singles, dtype=torch.float32))
# => tensor([1., 0., 0.])
print(torch.empty(3).shape)
# => torch.Size([3])
