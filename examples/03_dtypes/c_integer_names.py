"""
NumPy's long, longlong and other C integers in torch
====================================================

Name integer dtypes by their bits, such as ``np.int64``: the sizes of C's names differ between
Windows and Linux. On Linux, torch returns a ``longlong`` array as ``long``, an equal but different
dtype object.
"""

# sphinx_gallery_tags = ["dtype", "integer", "error"]

import numpy as np
import torch

# %%
# NumPy has five signed integers, one for each of C's, and only four sizes. So two of its dtypes
# have the same size everywhere; on 64-bit Linux and macOS those are ``long`` and ``long long``, on
# Windows ``int`` and ``long``.

codes = "bhilq"
print([np.dtype(code).itemsize for code in codes])
# => [1, 2, 4, 8, 8]

# %%
# Twins compare equal and share a name. They are different objects all the same, with another code
# letter, and so is the class of their scalars.

first, second = np.dtype("l"), np.dtype("q")
print(first == second, first.name, second.name, first.char, second.char)
# => True int64 int64 l q
print(first.type is second.type)
# => False

# %%
# torch has four signed integers. It `takes all five
# <https://github.com/pytorch/pytorch/issues/22615>`__, and after a round trip the dtype is equal to
# the one before, if not the same.

for code in codes:
    tensor = torch.from_numpy(np.zeros(1, dtype=code))
    print(code, tensor.dtype, tensor.numpy().dtype == np.dtype(code), tensor.numpy().dtype.char)
# => b torch.int8 True b
# => h torch.int16 True h
# => i torch.int32 True i
# => l torch.int64 True l
# => q torch.int64 True l

# %%
# C extensions and libraries that ask for a letter, or for the class of a scalar, can therefore
# reject what comes back. Ask by ``==``, or by ``issubdtype``.

back = torch.from_numpy(np.zeros(1, dtype="q")).numpy()
print(isinstance(back[0], np.longlong), np.issubdtype(back.dtype, np.signedinteger))
# => False True

# %%
# Of the unsigned twins torch knows one. The other is refused, although the list of supported
# dtypes in the message contains what NumPy calls it.

twin = np.zeros(1, dtype="Q")
print(twin.dtype.name, twin.dtype == np.uint64)
# => uint64 True
try:
    torch.from_numpy(twin)
except TypeError as error:
    print(str(error).split(". ")[0], "uint64" in str(error))
# => can't convert np.ndarray of type numpy.ulonglong True

# %%
# A view with the sized name is the same memory under the accepted dtype.

shared = torch.from_numpy(twin.view(np.uint64))
print(shared.dtype, np.shares_memory(shared.numpy(), twin))
# => torch.uint64 True

# %%
# Names with a number of bits mean the same wherever the code runs. ``np.dtype(int)`` does not: it
# is the platform's default, as :doc:`/gallery/03_dtypes/default_integers` tells. torch's ``int``
# and ``long`` have fixed sizes, whatever C's are.

print(torch.int is torch.int32, torch.long is torch.int64)
# => True True
