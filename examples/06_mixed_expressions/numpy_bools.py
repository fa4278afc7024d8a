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
# Comparing NumPy scalars returns a ``np.bool_``. It prints like Python's ``bool`` but is not a
# subclass of it.

enabled = np.float64(2) > 1
print(enabled, isinstance(enabled, bool))
# => True False

# %%
# Torch has rules for Python booleans, integers and floats. A NumPy boolean is none of these and
# `counts as a float
# <https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/python_arg_parser.cpp>`__. It turns
# an integer tensor into ``float32``; Python's ``True`` does not.

counts = torch.tensor([1, 2])
print((counts * enabled).dtype, (counts * True).dtype)
# => torch.float32 torch.int64

# %%
# A boolean tensor becomes ``float32`` as well, so you can no longer use it as a mask.

mask = torch.tensor([True, False])
print(mask * enabled, mask * True)
# => tensor([1., 0.]) tensor([ True, False])

# %%
# ``&`` raises. The message is about a dtype that does not appear in the code.

try:
    mask & enabled
except RuntimeError as error:
    print(error)
# => "bitwise_and_cpu" not implemented for 'Float'
print(mask & bool(enabled))
# => tensor([ True, False])

# %%
# A NumPy boolean also raises as ``keepdim``, as an element and as an index. These messages contain
# a class name that depends on the NumPy release, so the code prints the error class.

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
# As data, this NumPy boolean and a list of NumPy booleans convert correctly.

print(torch.tensor(enabled), torch.tensor([enabled, not enabled]))
# => tensor(True) tensor([ True, False])

# %%
# Convert the result of the comparison with ``bool()`` or ``item()``. For other NumPy scalars see
# :doc:`/gallery/06_mixed_expressions/scalars`.

print((counts * bool(enabled)).dtype, counts.sum(0, keepdim=enabled.item()))
# => torch.int64 tensor([3])
