"""
np.pad, np.interp, np.random.choice, np.percentile in torch
===========================================================

``F.pad`` counts from the last axis, ``torch.multinomial`` draws with weights, ``torch.quantile`` takes
fractions, and for ``np.interp`` there is ``torch.searchsorted``. This page shows each beside its NumPy call.
"""

# sphinx_gallery_tags = ["pad", "interp", "choice", "multinomial", "quantile", "percentile", "cov", "bincount", "equivalent"]

import numpy as np
import torch
from torch.nn import functional as F

# %%
# ``np.pad`` takes a pair for each axis, in order. ``F.pad`` takes pairs from the last axis on, in one flat
# tuple.

array = np.ones((2, 2), dtype=np.float32)
print(np.pad(array, ((1, 0), (0, 2))).shape)
# => (3, 4)
print(F.pad(torch.from_numpy(array), (0, 2, 1, 0)).shape)
# => torch.Size([3, 4])

# %%
# ``mode="edge"`` of NumPy is ``"replicate"``, ``"wrap"`` is ``"circular"``. In torch these modes need an axis
# of channels in front, also for images.

x = torch.arange(3.0)
print(F.pad(x[None], (1, 1), mode="replicate")[0], np.pad(x.numpy(), 1, mode="edge"))
# => tensor([0., 0., 1., 2., 2.]) [0. 0. 1. 2. 2.]

# %%
# ``np.random.choice`` with ``p`` is ``torch.multinomial``, which draws indices and needs no sum of 1. It
# draws without replacement unless you ask for it, NumPy with.

weights = torch.tensor([0.0, 3.0, 1.0])
drawn = torch.multinomial(weights, num_samples=100, replacement=True)
print(drawn.dtype, (drawn == 0).sum(), torch.tensor([7, 8, 9])[drawn].min())
# => torch.int64 tensor(0) tensor(8)

# %%
# Where no weights are given, ``torch.randint`` draws with replacement, and ``torch.randperm(n)[:k]`` does not
# repeat an index.

print(torch.randperm(5)[:3].unique().numel())
# => 3

# %%
# Percentiles are fractions in torch, and integers need a cast. ``torch.quantile`` refuses more than
# 16,777,216 elements along the axis: use ``np.quantile`` for these, or a sample.

print(torch.quantile(x, 0.25), np.percentile(x.numpy(), 25))
# => tensor(0.5000) 0.5

# %%
# ``np.interp``: find the interval of each point, and mix its two ends.


def interp(points, xs, ys):
    right = torch.searchsorted(xs, points).clamp(1, len(xs) - 1)
    share = ((points - xs[right - 1]) / (xs[right] - xs[right - 1])).clamp(0, 1)
    return ys[right - 1] + share * (ys[right] - ys[right - 1])


xs, ys = torch.tensor([0.0, 1.0, 3.0]), torch.tensor([0.0, 10.0, 30.0])
points = torch.tensor([-1.0, 0.5, 2.0, 9.0])
print(interp(points, xs, ys), np.interp(points.numpy(), xs.numpy(), ys.numpy()))
# => tensor([ 0.,  5., 20., 30.]) [ 0.  5. 20. 30.]

# %%
# ``np.bincount`` and ``np.cov`` have the same names, and ``Counter`` is ``unique`` with counts. For lists of
# names that differ: :doc:`/gallery/06_mixed_expressions/function_names`.

labels = torch.tensor([2, 0, 2])
print(torch.bincount(labels, minlength=4), labels.unique(return_counts=True))
# => tensor([1, 0, 2, 0]) (tensor([0, 2]), tensor([1, 2]))
