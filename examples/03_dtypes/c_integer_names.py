"""
NumPy's long, longlong and other C integers in torch
====================================================

Name integer dtypes by their bits, such as ``np.int64``: the sizes of C's names differ between
Windows and Linux. On Linux, a ``longlong`` array comes back from torch as ``long``, an equal but
different dtype object.
"""

# sphinx_gallery_tags = ["dtype", "integer", "error"]

import numpy as np
import torch

# %%
# NumPy has five signed integer dtypes, one for each in C, but four sizes. So two of them have the
# same size: ``long`` and ``long long`` on 64-bit Linux and macOS, ``int`` and ``long`` on Windows.

codes = "bhilq"
print([np.dtype(code).itemsize for code in codes])
# => [1, 2, 4, 8, 8]

# %%
# The two dtypes of the same size compare equal and have the same name. They are still different
# objects, with different type codes and different scalar classes.

first, second = np.dtype("l"), np.dtype("q")
print(first == second, first.name, second.name, first.char, second.char)
# => True int64 int64 l q
print(first.type is second.type)
# => False

# %%
# Torch `accepts all five of NumPy's <https://github.com/pytorch/pytorch/issues/22615>`__ and stores
# them in four dtypes. After a round trip the dtype is equal to the original, but may be the other
# object.

for code in codes:
    tensor = torch.from_numpy(np.zeros(1, dtype=code))
    print(code, tensor.dtype, tensor.numpy().dtype == np.dtype(code), tensor.numpy().dtype.char)
# => b torch.int8 True b
# => h torch.int16 True h
# => i torch.int32 True i
# => l torch.int64 True l
# => q torch.int64 True l

# %%
# C extensions and libraries that check the type code or the scalar class can therefore reject the
# array that comes back. Compare dtypes with ``==``, or in ``issubdtype`` with an
# abstract class such as ``np.signedinteger``.

back = torch.from_numpy(np.zeros(1, dtype="q")).numpy()
print(isinstance(back[0], np.longlong), np.issubdtype(back.dtype, np.signedinteger))
# => False True

# %%
# Of the two unsigned 64-bit dtypes, ``from_numpy`` accepts only one. It raises for the other,
# although that dtype is named ``uint64`` too and the message lists ``uint64`` as supported.

twin = np.zeros(1, dtype="Q")
print(twin.dtype.name, twin.dtype == np.uint64)
# => uint64 True
try:
    torch.from_numpy(twin)
except TypeError as error:
    print(str(error).split(". ")[0], "uint64" in str(error))
# => can't convert np.ndarray of type numpy.ulonglong True

# %%
# Take a view as ``np.uint64``: it has the same memory and a dtype that torch accepts.

shared = torch.from_numpy(twin.view(np.uint64))
print(shared.dtype, np.shares_memory(shared.numpy(), twin))
# => torch.uint64 True

# %%
# Names with a number of bits say their size. ``np.dtype(int)`` does not: it is the platform's
# default, see :doc:`/gallery/03_dtypes/default_integers`. In torch, ``int`` and ``long`` are names
# of ``int32`` and ``int64``.

print(torch.int is torch.int32, torch.long is torch.int64)
# => True True
