"""
torch.Tensor(array) or torch.tensor(array)?
===========================================

Replace ``torch.Tensor(array)`` with ``torch.tensor`` to copy or ``torch.as_tensor`` to share. With
the default dtype ``float32``, ``torch.Tensor`` shares ``float32`` arrays, copies ``float64``
arrays, and treats a single integer as a size.
"""

# sphinx_gallery_tags = ["sharing", "copy", "creation", "dtype"]

import numpy as np
import torch

# %%
# :class:`torch.Tensor` is the class of tensors. Calling it is an older way to make a tensor, and
# its use is `discouraged <https://docs.pytorch.org/docs/stable/tensors.html>`__. The result has the
# default dtype, so it shares memory with the ``float32`` array, and copies the ``float64`` array.

singles = np.zeros(3, dtype=np.float32)
doubles = np.zeros(3, dtype=np.float64)
print(np.shares_memory(torch.Tensor(singles).numpy(), singles))
# => True
print(np.shares_memory(torch.Tensor(doubles).numpy(), doubles))
# => False

# %%
# The same line therefore does different things: the write changes the ``float32`` array, but not
# the ``float64`` array, of which the tensor is a copy. It does not raise.

for array in [singles, doubles]:
    torch.Tensor(array)[0] = 1
print(singles, doubles)
# => [1. 0. 0.] [0. 0. 0.]

# %%
# A constructor with a dtype in its name uses that dtype: here ``FloatTensor`` copies the
# ``float64`` array and ``DoubleTensor`` shares it.

print(np.shares_memory(torch.FloatTensor(doubles).numpy(), doubles))
# => False
print(np.shares_memory(torch.DoubleTensor(doubles).numpy(), doubles))
# => True

# %%
# Integers are worse: the constructor treats them as a *size*. The first three values below, one of
# them a 0-d array, each give a tensor with three uninitialised elements. The 1-d array, in the last
# line, becomes data.

for value in [3, np.int64(3), np.array(3), np.array([3])]:
    print(type(value).__name__, np.shape(value), "->", torch.Tensor(value).shape)
# => int () -> torch.Size([3])
# => int64 () -> torch.Size([3])
# => ndarray () -> torch.Size([3])
# => ndarray (1,) -> torch.Size([1])

# %%
# A 0-d array of floats is treated as data, but a NumPy float raises an error.

print(torch.Tensor(np.array(3.5)))
# => tensor(3.5000)
try:
    torch.Tensor(np.float64(3.5))
except TypeError as error:
    print(error)
# => new(): data must be a sequence (got numpy.float64)

# %%
# ``torch.Tensor`` does not accept a ``dtype``.

try:
    torch.Tensor(doubles, dtype=torch.float64)
except TypeError as error:
    print(str(error).splitlines()[0])
# => new() received an invalid combination of arguments - got (numpy.ndarray, dtype=torch.dtype), but expected one of:

# %%
# The replacements are explicit: :func:`torch.tensor` copies values, :func:`torch.as_tensor` shares
# if it can, and :func:`torch.empty` takes a size.

print(torch.tensor(np.int64(3)), torch.tensor(np.array(3.5), dtype=torch.float32))
# => tensor(3) tensor(3.5000)
print(torch.as_tensor(singles, dtype=torch.float32))
# => tensor([1., 0., 0.])
print(torch.empty(3).shape)
# => torch.Size([3])
