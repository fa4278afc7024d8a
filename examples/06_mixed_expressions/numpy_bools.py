"""
NumPy bool times a tensor gives float32
=======================================

A ``np.bool_``, the result of a NumPy comparison, counts as a float in tensor arithmetic, so an
integer or boolean tensor becomes ``float32``. Convert it with ``bool()`` or ``item()``.
"""

# sphinx_gallery_tags = ["scalar", "dtype", "silent", "error"]

import numpy as np
import torch

# %%
# A comparison of NumPy scalars returns a ``np.bool_``, which prints like Python's ``bool``
# and is no subclass of it.

enabled = np.float64(2) > 1
print(enabled, isinstance(enabled, bool))
# => True False

# %%
# torch has a rule for Python booleans, integers and floats. The NumPy boolean fits none, and
# `counts as a float
# <https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/python_arg_parser.cpp>`__: integers
# become floating point, where Python's ``True`` leaves them alone.

counts = torch.tensor([1, 2])
print((counts * enabled).dtype, (counts * True).dtype)
# => torch.float32 torch.int64

# %%
# A boolean tensor becomes floating point as well. As a mask the result is useless.

mask = torch.tensor([True, False])
print(mask * enabled, mask * True)
# => tensor([1., 0.]) tensor([ True, False])

# %%
# The bitwise operators then fail, with a message about a dtype that occurs nowhere in the code.

try:
    mask & enabled
except RuntimeError as error:
    print(error)
# => "bitwise_and_cpu" not implemented for 'Float'
print(mask & bool(enabled))
# => tensor([ True, False])

# %%
# As the argument of a function it is refused, as an element and as an index too. The name of the
# class in these messages depends on the release of NumPy, so only the errors are shown here.

try:
    counts.sum(0, keepdim=enabled)
except TypeError as error:
    print(type(error).__name__)
# => TypeError
try:
    counts[0] = enabled
except TypeError as error:
    print(type(error).__name__)
# => TypeError
try:
    counts[enabled]
except IndexError as error:
    print(type(error).__name__)
# => IndexError

# %%
# As data it is converted properly.

print(torch.tensor(enabled), torch.tensor([enabled, not enabled]))
# => tensor(True) tensor([ True, False])

# %%
# ``bool`` in front of the comparison is enough, and so is ``item``. Other NumPy scalars are the
# subject of :doc:`/gallery/06_mixed_expressions/scalars`.

print((counts * bool(enabled)).dtype, counts.sum(0, keepdim=enabled.item()))
# => torch.int64 tensor([3])
