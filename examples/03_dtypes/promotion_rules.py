"""
Type promotion: NumPy gives float64, torch float32
==================================================

``int32`` times ``float32`` is ``float64`` in NumPy and ``float32`` in torch: torch keeps the float
that is there. Ask ``np.result_type`` and ``torch.result_type`` before you port a formula.
"""

# sphinx_gallery_tags = ["dtype", "promotion", "arithmetic"]

import numpy as np
import torch

# %%
# For arrays with dimensions the rules agree except where integers meet floats. NumPy widens the
# float for the sake of the integers; torch takes the float that is there. The loop finds every
# difference among these dtypes.

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
# So a count times a weight is wider in NumPy than in torch.

counts = np.array([1, 2], dtype=np.int32)
weights = np.array([0.5, 0.5], dtype=np.float32)
print((counts * weights).dtype)
# => float64
print((torch.from_numpy(counts) * torch.from_numpy(weights)).dtype)
# => torch.float32

# %%
# Division and roots of these integers give the default float of each library, and those differ.

tensor = torch.from_numpy(counts)
print((counts / counts).dtype, np.sqrt(counts).dtype)
# => float64 float64
print((tensor / tensor).dtype, torch.sqrt(tensor).dtype)
# => torch.float32 torch.float32

# %%
# A Python float widens a float array in neither library. A NumPy *scalar* does in NumPy, as it has
# a dtype; in torch it is a number like any other.

print((weights * 2.0).dtype, (weights * np.float64(2)).dtype)
# => float32 float64
print((torch.from_numpy(weights) * np.float64(2)).dtype)
# => torch.float32

# %%
# This is the rule of NumPy 2, `NEP 50 <https://numpy.org/neps/nep-0050-scalar-promotion.html>`__,
# and an array without dimensions follows it like any other array. Up to NumPy 1.26 the value
# decided, and such an array or a scalar left ``float32`` alone.

print((weights * np.array(2.0)).dtype, (weights * np.array([2.0])).dtype)
# => float64 float64

# %%
# torch still has such a rule for tensors without dimensions: one of the same category does not
# widen. The `documentation <https://docs.pytorch.org/docs/stable/tensor_attributes.html>`__ orders
# four categories: booleans, integers, floats and complex numbers.

single = torch.from_numpy(weights)
print((single * torch.tensor(2.0, dtype=torch.float64)).dtype)
# => torch.float32
print((single * torch.tensor([2.0], dtype=torch.float64)).dtype)
# => torch.float64

# %%
# A port is easiest to check by asking. Both libraries tell the dtype without computing.

print(np.result_type(counts, weights), torch.result_type(tensor, single))
# => float64 torch.float32
