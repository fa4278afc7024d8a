"""
Bool type is not supported by dlpack
====================================

In torch 1.13 to 2.1, exporting a bool tensor through DLPack raises: send it as ``uint8`` with
``view(torch.uint8)``, which shares the memory, and view it as bool again on the other side.
"""

# sphinx_gallery_tags = ["dlpack", "mask", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# DLPack got a code for booleans later than for integers and floats, and torch uses it `since 2.2
# <https://github.com/pytorch/pytorch/pull/108486>`__. Older releases raise ``Bool type is not
# supported by dlpack`` for other importing libraries too, such as CuPy, JAX or a server.

mask = torch.tensor([True, False, True])
try:
    print(np.from_dlpack(mask))
except (BufferError, RuntimeError) as error:
    print(error)
# => [ True False  True]

# %%
# The fix
# -------
#
# A bool takes one byte, so ``view(torch.uint8)`` shows the same memory with a dtype that older
# releases export too. On the array, ``view(np.bool_)`` turns it back into bool.

array = np.from_dlpack(mask.view(torch.uint8)).view(np.bool_)
print(array)
# => [ True False  True]

# %%
# The memory is still shared: writing to the tensor changes the array.

mask[1] = True
print(array)
# => [ True  True  True]

# %%
# The same works from NumPy to torch. There the older releases raise ``Unsupported code 6``, where 6
# is DLPack's code for bool. NumPy 1.24 raises an error of its own.

source = np.array([True, False])
try:
    print(torch.from_dlpack(source))
except RuntimeError as error:
    print(error)
# => tensor([ True, False])
print(torch.from_dlpack(source.view(np.uint8)).view(torch.bool))
# => tensor([ True, False])

# %%
# Between torch and NumPy on the CPU you do not need DLPack: :meth:`torch.Tensor.numpy` and
# :func:`torch.from_numpy` share booleans in older releases too.

print(mask.numpy().dtype, torch.from_numpy(source).dtype)
# => bool torch.bool

# %%
# Works, but copies
# -----------------
#
# ``to(torch.uint8)`` in place of ``view`` also avoids the error, but it copies: writing to the
# tensor does not change the array.

copied = np.from_dlpack(mask.to(torch.uint8))
mask[0] = False
print(copied)
# => [1 1 1]

# %%
# What does not help
# ------------------
#
# Do not compute with the bytes as if they were booleans. ``~`` of a ``uint8`` gives 254 and 255,
# and an index of ``uint8`` may be read as positions. View the array as bool first.

print(~np.from_dlpack(mask.view(torch.uint8)), ~mask.numpy())
# => [255 254 254] [ True False False]
