"""
NumPy names in torch: concatenate is cat, transpose is permute
==============================================================

Many functions have one name in both libraries. In torch ``concatenate`` is also ``cat``,
``transpose`` is ``permute``, ``expand_dims`` is ``unsqueeze``, ``astype`` is ``to``, and ``axis``
is ``dim``.
"""

# sphinx_gallery_tags = ["functions", "shape", "arithmetic"]

import numpy as np
import torch

# %%
# Each line calls NumPy's function on an array and torch's on a tensor, and compares the two results.

array = np.arange(6.0).reshape(2, 3)
tensor = torch.from_numpy(array)
print(np.array_equal(np.concatenate([array, array], axis=1), torch.cat([tensor, tensor], dim=1)))
# => True

# %%
# ``stack`` and ``vstack`` keep their names.

print(np.array_equal(np.stack([array, array]), torch.stack([tensor, tensor])))
# => True
print(np.array_equal(np.vstack([array, array]), torch.vstack([tensor, tensor])))
# => True

# %%
# NumPy's ``transpose`` with a tuple of axes is ``permute``. NumPy's ``swapaxes`` takes two and is
# torch's ``transpose``.

print(np.array_equal(np.transpose(array, (1, 0)), tensor.permute(1, 0)))
# => True
print(np.array_equal(np.swapaxes(array, 0, 1), tensor.transpose(0, 1)))
# => True
print(np.array_equal(np.expand_dims(array, 0), tensor.unsqueeze(0)))
# => True

# %%
# ``sum`` takes ``dim`` and ``keepdim``; torch also accepts NumPy's ``axis`` and ``keepdims`` here.
# With an axis, torch's ``max`` returns values and indices, so NumPy's ``max`` is ``amax``.

print(np.array_equal(array.sum(axis=1, keepdims=True), tensor.sum(dim=1, keepdim=True)))
# => True
print(np.array_equal(array.sum(axis=1, keepdims=True), tensor.sum(axis=1, keepdims=True)))
# => True
print(np.array_equal(array.max(axis=1), tensor.amax(dim=1)))
# => True

# %%
# ``astype`` is ``to``, ``copy`` is ``clone``, and the number of elements, ``size``, is ``numel()``.

print(np.array_equal(array.astype(np.int64), tensor.to(torch.int64)))
# => True
print(np.array_equal(array.copy(), tensor.clone()), array.size == tensor.numel())
# => True True

# %%
# ``repeat`` is ``repeat_interleave``, ``split`` into equal parts is ``tensor_split``, and
# percentiles are quantiles from 0 to 1. ``torch.quantile`` takes ``float32`` and ``float64``, and
# before torch 2.14 `no more than 16,777,216 values
# <https://github.com/pytorch/pytorch/issues/64947>`__ along the axis, a limit that
# ``np.percentile`` does not have. :doc:`/gallery/06_mixed_expressions/name_gaps` has names that
# mean something else in torch.

print(np.array_equal(np.repeat(array, 2), tensor.repeat_interleave(2)))
# => True
print(np.array_equal(np.split(array, 3, axis=1)[1], torch.tensor_split(tensor, 3, dim=1)[1]))
# => True
print(np.percentile(array, 40) == torch.quantile(tensor, 0.4).item())
# => True

# %%
# ``where``, ``clip`` and ``einsum`` have the same name and give the same result here.

print(np.array_equal(np.where(array > 2, array, 0.0), torch.where(tensor > 2, tensor, 0.0)))
# => True
print(np.array_equal(np.clip(array, 1, 4), torch.clip(tensor, 1, 4)))
# => True
rows = "ij,kj->ik"
print(np.array_equal(np.einsum(rows, array, array), torch.einsum(rows, tensor, tensor)))
# => True

# %%
# ``std`` and ``var`` have one name and give different results
# (:doc:`/gallery/03_dtypes/statistics_defaults`). For code that takes arrays and tensors alike see
# :doc:`/gallery/09_protocols/array_namespace`.
