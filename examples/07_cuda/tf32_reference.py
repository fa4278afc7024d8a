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
# These numbers need 13 significant bits, and ``float32`` has 24. The sums in this product are
# therefore exact, and NumPy's result is the exact one.

array = np.full((1024, 1024), 1 + 2**-12, dtype=np.float32)
ones = np.ones((1024, 1024), dtype=np.float32)
reference = array @ ones
print(reference[0, 0])
# => 1024.25

# %%
# The GPU gives the same result as long as it multiplies in ``float32``, the `default
# <https://docs.pytorch.org/docs/stable/generated/torch.set_float32_matmul_precision.html>`__.

left = torch.from_numpy(array).to("cuda")
right = torch.from_numpy(ones).to("cuda")
print(torch.get_float32_matmul_precision(), (left @ right)[0, 0].item())
# => highest 1024.25

# %%
# One line lets GPUs since the Ampere generation round the factors to TF32, which has 11 significant
# bits; this page was run on an H100. These numbers are slightly above one, and the difference is
# rounded away. Older GPUs, such as a T4, have no TF32.

torch.set_float32_matmul_precision("high")
product = left @ right
print(product[0, 0].item())
# => 1024.0

# %%
# The result does not show this: its dtype is the same, and torch does not warn. Casting the result
# to ``float64`` comes too late.

print(product.dtype, product.cpu().numpy().astype(np.float64)[0, 0])
# => torch.float32 1024.0

# %%
# Tolerances chosen for ``float32`` are then too strict. For TF32, let them allow for its rounding,
# about one part in two thousand.

print(np.allclose(product.cpu().numpy(), reference, rtol=1e-5))
# => False
print(np.allclose(product.cpu().numpy(), reference, rtol=1e-3))
# => True

# %%
# To compare with NumPy, set the precision back to the default. TF32 is for matrix products and
# convolutions of ``float32``.

torch.set_float32_matmul_precision("highest")
print(np.array_equal((left @ right).cpu().numpy(), reference))
# => True

# %%
# Convolutions have `a separate setting <https://docs.pytorch.org/docs/stable/notes/cuda.html>`__,
# which is on by default. They can differ from a NumPy reference even if your program changes no
# setting.

print(torch.backends.cudnn.allow_tf32)
# => True
