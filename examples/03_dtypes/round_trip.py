"""
Which dtypes convert between NumPy and torch
============================================

Fourteen dtypes convert to torch and back unchanged, in the same memory: bool, signed and unsigned
integers, ``float16`` to ``float64``, ``complex64`` and ``complex128``. The unsigned ones from
``uint16`` up need torch 2.3.
"""

# sphinx_gallery_tags = ["dtype", "sharing", "correction"]

import numpy as np
import torch

# %%
# Fourteen dtypes have the same name in both libraries; the three wider unsigned ones exist in torch
# since 2.3. The loop converts an array to a tensor and back, and checks that dtype and memory are
# still the same.

names = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
names += ["float16", "float32", "float64", "complex64", "complex128"]
for name in names:
    array = np.array([0, 1], dtype=name)
    tensor = torch.from_numpy(array)
    back = tensor.numpy()
    print(tensor.dtype, back.dtype == array.dtype, np.shares_memory(back, array))
# => torch.bool True True
# => torch.uint8 True True
# => torch.uint16 True True
# => torch.uint32 True True
# => torch.uint64 True True
# => torch.int8 True True
# => torch.int16 True True
# => torch.int32 True True
# => torch.int64 True True
# => torch.float16 True True
# => torch.float32 True True
# => torch.float64 True True
# => torch.complex64 True True
# => torch.complex128 True True

# %%
# The next loop starts with a tensor instead. It collects the dtypes that come back changed or in
# different memory, and finds none.

changed = []
for name in names:
    tensor = torch.zeros(2, dtype=getattr(torch, name))
    back = torch.from_numpy(tensor.numpy())
    if back.dtype != tensor.dtype or back.data_ptr() != tensor.data_ptr():
        changed.append(name)
print(changed)
# => []

# %%
# Tutorials often say that a ``CharTensor``, the old name of an ``int8`` tensor, does not convert.
# This has been wrong since December 2018: `pull request 14700
# <https://github.com/pytorch/pytorch/pull/14700>`__ added one direction and `15046
# <https://github.com/pytorch/pytorch/pull/15046>`__ the other.

limits = np.array([-128, 127], dtype=np.int8)
chars = torch.from_numpy(limits)
print(chars, chars.type())
# => tensor([-128,  127], dtype=torch.int8) torch.CharTensor
print(chars.numpy())
# => [-128  127]

# %%
# The largest and smallest 64-bit integers survive, because the conversion does not touch the
# values.

for name in ["int64", "uint64"]:
    info = np.iinfo(name)
    print(torch.from_numpy(np.array([info.min, info.max], dtype=name)).tolist())
# => [-9223372036854775808, 9223372036854775807]
# => [0, 18446744073709551615]

# %%
# Torch converts some dtypes for which it lacks many operations. The larger unsigned integers have
# `limited support <https://docs.pytorch.org/docs/stable/tensors.html>`__, so convert ``uint16`` and
# ``uint32`` to a wider signed dtype for arithmetic. For other dtypes :doc:`/guides/dtypes` lists the
# calls.

counts = torch.from_numpy(np.array([1, 2], dtype=np.uint16))
try:
    counts + counts
except NotImplementedError as error:
    print(error)
# => "add_stub" not implemented for 'UInt16'
print(counts.int() + counts.int())
# => tensor([2, 4], dtype=torch.int32)
