"""
Tensor to bytes: bytes(tensor) and memoryview
=============================================

A tensor has no buffer protocol, and ``bytes(tensor)`` can give wrong bytes or raise. Call
``tensor.numpy().tobytes()`` for a copy of the bytes, or ``memoryview(tensor.numpy())`` to share
them.
"""

# sphinx_gallery_tags = ["buffer", "correction"]

import numpy as np
import torch

# %%
# It is often said that the zero-copy conversion rests on Python's buffer protocol. A tensor does
# not have it, as :class:`memoryview` reports.

tensor = torch.tensor([1.5, 2.5])
try:
    memoryview(tensor)
except TypeError as error:
    print(error)
# => memoryview: a bytes-like object is required, not 'Tensor'

# %%
# NumPy sees a tensor through the method ``__array__``, which returns an array over the same
# memory. DLPack is the one other way for NumPy to get at the memory; NumPy's own array interface
# is absent.

for name in ["__array__", "__dlpack__", "__array_interface__", "__array_struct__"]:
    print(name, hasattr(tensor, name))
# => __array__ True
# => __dlpack__ True
# => __array_interface__ False
# => __array_struct__ False
print(np.shares_memory(tensor.__array__(), tensor.numpy()))
# => True

# %%
# The array does have the protocol, so ``numpy()`` is the way to a :class:`memoryview` without a
# copy. Support in the tensor itself is discussed in `an open request for tobytes
# <https://github.com/pytorch/pytorch/issues/19143>`__.

view = memoryview(tensor.numpy())
print(view.format, view.shape, view.nbytes)
# => f (2,) 8
view[0] = 9.0
print(tensor)
# => tensor([9.0000, 2.5000])

# %%
# ``bytes(tensor)`` is a trap. Without a buffer, :class:`bytes` treats the tensor as a sequence of
# integers: one byte a *value*, whatever the item size (`issue 108565
# <https://github.com/pytorch/pytorch/issues/108565>`__).

numbers = torch.tensor([1, 2, 3])
print(bytes(numbers))
# => b'\x01\x02\x03'
print(len(bytes(numbers)), numbers.nbytes)
# => 3 24
print(len(bytes(numbers.numpy())))
# => 24

# %%
# A tensor with a single integer counts as that integer, and ``bytes`` of an integer is a run of
# zeros of that length (`issue 110365 <https://github.com/pytorch/pytorch/issues/110365>`__).

single = torch.tensor([5], dtype=torch.uint8)
print(bytes(single))
# => b'\x00\x00\x00\x00\x00'
print(bytes(single.numpy()))
# => b'\x05'

# %%
# Floating-point values fail outright. ``tobytes`` of the array is right for every dtype; a tensor
# has no such method.

try:
    bytes(tensor)
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index
print(tensor.numpy().tobytes() == view.tobytes())
# => True
print(hasattr(tensor, "tobytes"))
# => False
