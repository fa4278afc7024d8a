"""
torch.asarray(array.array) gives wrong numbers before 2.15
==========================================================

Pass ``dtype`` to ``torch.asarray``, or call ``numpy.asarray`` first: before torch 2.15,
``torch.asarray`` read the bytes of an ``array.array`` as the default float dtype.
"""

# sphinx_gallery_tags = ["buffer", "dtype", "silent"]

import array

import numpy as np
import torch

# %%
# An ``array.array`` stores its element type. :func:`torch.asarray` has used it since torch 2.15
# (`pull request 188784 <https://github.com/pytorch/pytorch/pull/188784>`__).

samples = array.array("d", [0.5, 1.5])
print(torch.asarray(samples))
# => tensor([0.5000, 1.5000], dtype=torch.float64)

# %%
# Earlier releases read the bytes as the default dtype, without a warning. The result had twice as
# many numbers as this input, and none of them was in it. Passing ``float32`` to
# :func:`torch.frombuffer` still does the same.

print(torch.frombuffer(samples, dtype=torch.float32))
# => tensor([0.0000, 1.7500, 0.0000, 1.9375])

# %%
# The elements of this array have the same size as the default dtype, so even the shape is right.
# These small integers become numbers close to zero.

counts = array.array("i", [1, 2])
print(torch.frombuffer(counts, dtype=torch.float32))
# => tensor([1.4013e-45, 2.8026e-45])

# %%
# A :class:`memoryview` has a format as well, and ``frombuffer`` ignores it too.

view = memoryview(np.array([1, 2], dtype=np.int64))
print(torch.frombuffer(view, dtype=torch.int32))
# => tensor([1, 0, 2, 0], dtype=torch.int32)

# %%
# For these doubles two ways are correct on older releases too: pass the dtype, or let
# :func:`numpy.asarray` read the format. Both share memory.

named = torch.asarray(samples, dtype=torch.float64)
through_numpy = torch.from_numpy(np.asarray(samples))
samples[0] = 9
print(named, through_numpy)
# => tensor([9.0000, 1.5000], dtype=torch.float64) tensor([9.0000, 1.5000], dtype=torch.float64)

# %%
# NumPy also keeps the shape, which :func:`torch.frombuffer` drops.

grid = memoryview(np.zeros((2, 3)))
print(torch.frombuffer(grid, dtype=torch.float64).shape, torch.from_numpy(np.asarray(grid)).shape)
# => torch.Size([6]) torch.Size([2, 3])

# %%
# :func:`torch.tensor` reads this object as a sequence of Python numbers. The values are right, but
# they are copied one by one, and these floats get torch's default dtype.

print(torch.tensor(samples))
# => tensor([9.0000, 1.5000])
