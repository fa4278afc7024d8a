"""
GPU matmul differs from NumPy: TF32
===================================

``torch.set_float32_matmul_precision("high")`` lets GPUs since Ampere round to TF32, about one part
in two thousand. Set ``"highest"`` or use ``float64`` to compare a product with NumPy.
"""

# sphinx_gallery_tags = ["cuda", "dtype", "precision", "silent"]

import numpy as np
import torch

# %%
# These entries need 13 significant bits, and ``float32`` has 24. So every sum in this product is
# exact, in any order, and NumPy's result is the true one.

array = np.full((1024, 1024), 1 + 2**-12, dtype=np.float32)
ones = np.ones((1024, 1024), dtype=np.float32)
reference = array @ ones
print(reference[0, 0])
# => 1024.25

# %%
# A GPU gives the same as long as it multiplies in ``float32``, the `default
# <https://docs.pytorch.org/docs/stable/generated/torch.set_float32_matmul_precision.html>`__.

left = torch.from_numpy(array).to("cuda")
right = torch.from_numpy(ones).to("cuda")
print(torch.get_float32_matmul_precision(), (left @ right)[0, 0].item())
# => highest 1024.25

# %%
# One line, often copied for its speed, lets GPUs since the Ampere generation round the factors to
# TF32, with 11 significant bits. What makes these numbers differ from one is lost.

torch.set_float32_matmul_precision("high")
product = left @ right
print(product[0, 0].item())
# => 1024.0

# %%
# Nothing shows it: the dtype is the same, and no warning is given. Casting the result, or the array
# made from it, to ``float64`` comes too late.

print(product.dtype, product.cpu().numpy().astype(np.float64)[0, 0])
# => torch.float32 1024.0

# %%
# Tolerances made for ``float32`` then fail. Those for TF32 have to be as wide as its rounding,
# about one part in two thousand.

print(np.allclose(product.cpu().numpy(), reference, rtol=1e-5))
# => False
print(np.allclose(product.cpu().numpy(), reference, rtol=1e-3))
# => True

# %%
# For a comparison with NumPy go back to the default. ``float64`` is never rounded to TF32, and
# elementwise operations and sums are not either.

torch.set_float32_matmul_precision("highest")
print(np.array_equal((left @ right).cpu().numpy(), reference))
# => True

# %%
# Convolutions have `a switch of their own
# <https://docs.pytorch.org/docs/stable/notes/cuda.html>`__, and it is on by default: those may
# differ from a NumPy reference in a program that has changed nothing.

print(torch.backends.cudnn.allow_tf32)
# => True
