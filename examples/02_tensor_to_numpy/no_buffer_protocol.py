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
# It is often said that the conversion without a copy uses Python's buffer protocol. But a tensor
# does not have that protocol, so :class:`memoryview` raises.

tensor = torch.tensor([1.5, 2.5])
try:
    memoryview(tensor)
except TypeError as error:
    print(error)
# => memoryview: a bytes-like object is required, not 'Tensor'

# %%
# NumPy calls the tensor's ``__array__`` method, which returns an array on the same memory. DLPack
# is another way. A tensor does not have NumPy's own array interface.

for name in ["__array__", "__dlpack__", "__array_interface__", "__array_struct__"]:
    print(name, hasattr(tensor, name))
# => __array__ True
# => __dlpack__ True
# => __array_interface__ False
# => __array_struct__ False
print(np.shares_memory(tensor.__array__(), tensor.numpy()))
# => True

# %%
# The array does have the buffer protocol, so call ``numpy()`` first to get a :class:`memoryview`
# without a copy. There is `an open request <https://github.com/pytorch/pytorch/issues/19143>`__ to
# add ``tobytes`` to tensors.

view = memoryview(tensor.numpy())
print(view.format, view.shape, view.nbytes)
# => f (2,) 8
view[0] = 9.0
print(tensor)
# => tensor([9.0000, 2.5000])

# %%
# ``bytes(tensor)`` is a trap. Since the tensor has no buffer, :class:`bytes` treats it as a
# sequence of integers: here each *value* gives one byte, not eight (`issue 108565
# <https://github.com/pytorch/pytorch/issues/108565>`__).

numbers = torch.tensor([1, 2, 3])
print(bytes(numbers))
# => b'\x01\x02\x03'
print(len(bytes(numbers)), numbers.nbytes)
# => 3 24
print(len(bytes(numbers.numpy())))
# => 24

# %%
# A tensor with a single integer is treated as that integer, and ``bytes`` of an integer returns
# that many zero bytes (`issue 110365 <https://github.com/pytorch/pytorch/issues/110365>`__).

single = torch.tensor([5], dtype=torch.uint8)
print(bytes(single))
# => b'\x00\x00\x00\x00\x00'
print(bytes(single.numpy()))
# => b'\x05'

# %%
# These floating-point values raise an error. The array's ``tobytes`` gives their bytes too; the
# tensor lacks this method.

try:
    bytes(tensor)
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index
print(tensor.numpy().tobytes() == view.tobytes())
# => True
print(hasattr(tensor, "tobytes"))
# => False
