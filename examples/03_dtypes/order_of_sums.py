"""
torch.sum and np.sum differ: the order of float32 sums
======================================================

torch, NumPy and a GPU add the same numbers in different orders, and each order can round
differently: compare with a tolerance, or sum in ``float64``.
"""

# sphinx_gallery_tags = ["dtype", "precision", "functions", "comparison", "silent"]

import numpy as np
import torch

# %%
# The result of adding floats depends on the order. A ``float32`` holds about seven digits, so
# adding one to a hundred million does not change it.

large, one = np.float32(1e8), np.float32(1)
print((large + one) - large, (large - large) + one)
# => 0.0 1.0

# %%
# A sum consists of many such additions, and `neither library promises an order
# <https://docs.pytorch.org/docs/stable/notes/numerical_accuracy.html>`__. If you add a million
# tenths one by one, the result is off by one percent. ``sum`` adds partial sums instead in both
# libraries, and is much closer to the ``float64`` result.

values = np.full(1_000_000, 0.1, dtype=np.float32)
tensor = torch.from_numpy(values)
exact = values.sum(dtype=np.float64)
one_by_one = np.cumsum(values)[-1]
print(f"{exact:.0f} {one_by_one:.0f}")
# => 100000 100958
print(abs(values.sum() - exact) < 0.1, abs(tensor.sum().item() - exact) < 0.1)
# => True True

# %%
# The partial sums depend on the axis. NumPy uses them `along the fast axis
# <https://numpy.org/doc/stable/reference/generated/numpy.sum.html>`__. Along the other, it adds the
# rows of this table one by one. Torch does not.

table = np.full((1_000_000, 2), 0.1, dtype=np.float32)
print(
    f"{table.sum(axis=0)[0]:.0f}", abs(torch.from_numpy(table).sum(dim=0)[0].item() - exact) < 0.1
)
# => 100958 True

# %%
# Do not compare such results with ``==``. :func:`torch.testing.assert_close` and
# :func:`numpy.allclose` use tolerances; those of ``assert_close`` depend on the dtype.

rng = np.random.default_rng(0)
noise = rng.standard_normal(100_000).astype(np.float32)
shuffled = rng.permutation(noise)
print(np.isclose(noise.sum(), shuffled.sum(), rtol=1e-4))
# => True
print(np.isclose(noise.sum(), torch.from_numpy(noise).sum().item(), rtol=1e-4))
# => True

# %%
# Choose the tolerance relative to the size of the added numbers. If they cancel, the sum is near
# zero and a tolerance relative to the sum is too strict.

balanced = np.concatenate([noise, -shuffled])
print(abs(balanced.sum()) < 1e-6 * np.abs(balanced).sum())
# => True

# %%
# ``float64`` has 29 more bits, and here the two sums agree within the tolerance. It is enough to
# sum in ``float64``; the data may stay ``float32``.

narrow, wide = torch.from_numpy(noise), noise.sum(dtype=np.float64)
print(
    narrow.sum(dtype=torch.float64).dtype, np.isclose(narrow.sum(dtype=torch.float64).item(), wide)
)
# => torch.float64 True

# %%
# A matrix product also consists of sums. One row computed alone may differ in the last digits from
# the same row of a batch, so use a tolerance there too.

left, right = torch.from_numpy(noise[:65_536].reshape(256, 256)), torch.from_numpy(noise[:256])
print(torch.allclose((left @ right)[:1], left[:1] @ right, atol=1e-4))
# => True

# %%
# A large difference can have other causes: a different dtype
# (:doc:`/gallery/03_dtypes/default_floats`), TF32 on a GPU
# (:doc:`/gallery/07_cuda/tf32_reference`), or different defaults
# (:doc:`/gallery/03_dtypes/statistics_defaults`). To compare CPU and GPU, see
# :doc:`/gallery/07_cuda/sums_on_gpu`.

print(np.ones(1).dtype, torch.ones(1).dtype)
# => float64 torch.float32
