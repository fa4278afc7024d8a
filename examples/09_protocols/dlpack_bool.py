"""
Bool type is not supported by dlpack
====================================

Releases before torch 2.2 refuse to export a bool tensor through DLPack: send it as ``uint8`` with
``view(torch.uint8)``, which copies nothing, and view it as bool again on the other side.
"""

# sphinx_gallery_tags = ["dlpack", "mask", "dtype", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# DLPack got a number for booleans later than for other dtypes, and torch uses it `since 2.2
# <https://github.com/pytorch/pytorch/pull/108486>`__. Before, this raised ``Bool type is not
# supported by dlpack``, whoever asked for the tensor: NumPy, CuPy, JAX or a server.

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
# A bool takes one byte, so a view as ``uint8`` shows the same memory under a dtype that every
# release exports. NumPy's view leads back.

array = np.from_dlpack(mask.view(torch.uint8)).view(np.bool_)
print(array)
# => [ True False  True]

# %%
# The memory is still shared: a write to the tensor is seen in the array.

mask[1] = True
print(array)
# => [ True  True  True]

# %%
# Into torch it works likewise. There the older releases said ``Unsupported code 6``, the number of
# the dtype.

source = np.array([True, False])
try:
    print(torch.from_dlpack(source))
except RuntimeError as error:
    print(error)
# => tensor([ True, False])
print(torch.from_dlpack(source.view(np.uint8)).view(torch.bool))
# => tensor([ True, False])

# %%
# Between torch and NumPy on the CPU nothing of this is needed: :meth:`torch.Tensor.numpy` and
# :func:`torch.from_numpy` share booleans on every release.

print(mask.numpy().dtype, torch.from_numpy(source).dtype)
# => bool torch.bool

# %%
# Works, but copies
# -----------------
#
# ``to(torch.uint8)`` in place of ``view`` gets past the refusal, as a copy: writes no longer meet.

copied = np.from_dlpack(mask.to(torch.uint8))
mask[0] = False
print(copied)
# => [1 1 1]

# %%
# What does not help
# ------------------
#
# Arithmetic on the bytes is not arithmetic on booleans. ``~`` of a ``uint8`` gives 254 and 255, and
# an index of ``uint8`` may be read as positions: view as bool first.

print(~np.from_dlpack(mask.view(torch.uint8)), ~mask.numpy())
# => [255 254 254] [ True False False]
