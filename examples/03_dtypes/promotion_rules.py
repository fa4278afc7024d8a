"""
Type promotion: NumPy gives float64, torch float32
==================================================

``int32`` times ``float32`` is ``float64`` in NumPy but ``float32`` in torch, which keeps the dtype
of the float. Before you port a formula, check with ``np.result_type`` and ``torch.result_type``.
"""

# sphinx_gallery_tags = ["dtype", "promotion", "arithmetic"]

import numpy as np
import torch

# %%
# For arrays with dimensions the rules differ where integers meet floats. NumPy widens a float that
# is too narrow for the integers, to ``float64`` for those of 32 and 64 bits; torch keeps the
# float's dtype. The loop prints the differences among these dtypes.

names = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"]
for position, first in enumerate(names):
    for second in names[position + 1 :]:
        numpy_says = np.promote_types(first, second).name
        torch_says = torch.promote_types(getattr(torch, first), getattr(torch, second))
        if f"torch.{numpy_says}" != str(torch_says):
            print(f"{first} and {second}: NumPy {numpy_says}, {torch_says}")
# => int16 and float16: NumPy float32, torch.float16
# => int32 and float16: NumPy float64, torch.float16
# => int32 and float32: NumPy float64, torch.float32
# => int64 and float16: NumPy float64, torch.float16
# => int64 and float32: NumPy float64, torch.float32

# %%
# An ``int32`` array times a ``float32`` array is therefore wider in NumPy than in torch.

counts = np.array([1, 2], dtype=np.int32)
weights = np.array([0.5, 0.5], dtype=np.float32)
print((counts * weights).dtype)
# => float64
print((torch.from_numpy(counts) * torch.from_numpy(weights)).dtype)
# => torch.float32

# %%
# Division and roots of these integers give the default float of each library: ``float64`` in NumPy,
# ``float32`` in torch.

tensor = torch.from_numpy(counts)
print((counts / counts).dtype, np.sqrt(counts).dtype)
# => float64 float64
print((tensor / tensor).dtype, torch.sqrt(tensor).dtype)
# => torch.float32 torch.float32

# %%
# A Python float does not widen a ``float32`` array in either library. An ``np.float64`` *scalar*
# does in NumPy, because it has a dtype; in this product torch treats it like a Python number.

print((weights * 2.0).dtype, (weights * np.float64(2)).dtype)
# => float32 float64
print((torch.from_numpy(weights) * np.float64(2)).dtype)
# => torch.float32

# %%
# These are the rules of NumPy 2, `NEP 50
# <https://numpy.org/neps/nep-0050-scalar-promotion.html>`__, and a 0-d array follows them too. Up
# to NumPy 1.26 the value mattered: such a 0-d array or scalar did not widen ``float32``.

print((weights * np.array(2.0)).dtype, (weights * np.array([2.0])).dtype)
# => float64 float64

# %%
# Torch still has such a rule: the 0-d ``float64`` tensor below does not widen the ``float32`` tensor,
# because both are of the same category. The `documentation
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html>`__ orders four categories: booleans,
# integers, floats and complex numbers.

single = torch.from_numpy(weights)
print((single * torch.tensor(2.0, dtype=torch.float64)).dtype)
# => torch.float32
print((single * torch.tensor([2.0], dtype=torch.float64)).dtype)
# => torch.float64

# %%
# When you port code, ask both libraries for the result dtype.

print(np.result_type(counts, weights), torch.result_type(tensor, single))
# => float64 torch.float32
