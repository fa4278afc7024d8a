"""
np.where, np.digitize, np.unique and np.isin in torch
=====================================================

``torch.where``, ``torch.unique`` and ``torch.isin`` have the same names. ``np.digitize(x, bins)`` is
``torch.bucketize(x, bins, right=True)`` for increasing bins: the two libraries use ``right`` in
opposite senses.
"""

# sphinx_gallery_tags = ["names", "where", "unique", "bins", "histogram", "sort"]

import numpy as np
import torch

array = np.array([3.0, 1.0, 2.0, 1.0])
x = torch.from_numpy(array)

# %%
# np.where
# --------
#
# With one argument that has axes, both return a tuple with the indices for each axis. With three,
# both choose.

print(np.where(array > 1), torch.where(x > 1))
# => (array([0, 2]),) (tensor([0, 2]),)
print(np.where(array > 1, array, 0.0), torch.where(x > 1, x, 0.0))
# => [3. 0. 2. 0.] tensor([3., 0., 2., 0.], dtype=torch.float64)

# %%
# ``np.nonzero`` is the same tuple; ``torch.nonzero`` returns a matrix with a row for each place, or
# the tuple with ``as_tuple=True``.

print((x > 1).nonzero().shape, (x > 1).nonzero(as_tuple=True)[0])
# => torch.Size([2, 1]) tensor([0, 2])

# %%
# np.digitize and np.searchsorted
# -------------------------------
#
# With increasing bins, a value that equals an edge decides: ``np.digitize`` counts it as above the edge,
# ``bucketize`` by default as below.

bins = np.array([1.0, 2.0])
edges = torch.from_numpy(bins)
print(np.digitize(array, bins), torch.bucketize(x, edges).numpy())
# => [2 1 2 1] [2 0 1 0]
print(np.array_equal(np.digitize(array, bins), torch.bucketize(x, edges, right=True)))
# => True
print(np.array_equal(np.digitize(array, bins, right=True), torch.bucketize(x, edges)))
# => True

# %%
# ``searchsorted`` has ``side`` in both libraries, with one meaning.

print(
    np.searchsorted(bins, array, side="right"), torch.searchsorted(edges, x, side="right").numpy()
)
# => [2 1 2 1] [2 1 2 1]

# %%
# np.unique
# ---------
#
# Both sort by default. ``np.unique`` can also return the first index of each value, which torch does
# not offer.

values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
print(values, inverse, counts)
# => tensor([1., 2., 3.], dtype=torch.float64) tensor([2, 0, 1, 0]) tensor([2, 1, 1])
print(np.unique(array, return_index=True)[1])
# => [1 2 0]

# %%
# np.isin, np.argsort and np.histogram
# ------------------------------------
#
# For equal values, pass ``stable=True`` to keep their order in torch.

print(np.isin(array, [1, 3]), torch.isin(x, torch.tensor([1.0, 3.0], dtype=x.dtype)))
# => [ True  True False  True] tensor([ True,  True, False,  True])
print(np.argsort(array, stable=True), torch.argsort(x, stable=True))
# => [1 3 2 0] tensor([1, 3, 2, 0])
print(np.histogram(array, bins=2), torch.histogram(x, bins=2))
# => (array([2, 2]), array([1., 2., 3.])) torch.return_types.histogram(
# => hist=tensor([2., 2.], dtype=torch.float64),
# => bin_edges=tensor([1., 2., 3.], dtype=torch.float64))
