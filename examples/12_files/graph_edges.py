"""
Adjacency matrix to edge_index, and to a SciPy matrix
=====================================================

``adjacency.nonzero().T`` is the edge_index of a dense tensor, with a row of sources and a row of targets. From
a SciPy matrix, stack ``coo.row`` and ``coo.col``, and convert to ``int64``.
"""

# sphinx_gallery_tags = ["graph", "sparse", "scipy", "edges", "dtype"]

import numpy as np
import torch
from scipy import sparse

# %%
# PyTorch Geometric describes edges by two rows of node numbers, as ``int64``. The weights are the elements at these
# places.

adjacency = torch.tensor([[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [1.0, 0.0, 0.0]])
edge_index = adjacency.nonzero().T
edge_weight = adjacency[edge_index[0], edge_index[1]]
print(edge_index)
# => tensor([[0, 1, 2],
# =>         [1, 2, 0]])
print(edge_weight)
# => tensor([2., 3., 1.])

# %%
# Back to a dense matrix, and to one that torch stores sparsely:

dense = torch.zeros(3, 3)
dense[edge_index[0], edge_index[1]] = edge_weight
stored = torch.sparse_coo_tensor(edge_index, edge_weight, (3, 3), check_invariants=True)
print(torch.equal(dense, adjacency), torch.equal(stored.to_dense(), adjacency))
# => True True

# %%
# With SciPy
# ----------
#
# ``coo_array`` takes the weights and the two rows. Pass the shape, because nodes without edges are not
# among the numbers.

row, column = edge_index.numpy()
matrix = sparse.coo_array((edge_weight.numpy(), (row, column)), shape=(3, 3)).tocsr()
print(matrix.toarray())
# => [[0. 2. 0.]
# =>  [0. 0. 3.]
# =>  [1. 0. 0.]]

# %%
# The other way, SciPy's numbers are often ``int32``: convert them.

coo = matrix.tocoo()
again = torch.from_numpy(np.stack([coo.row, coo.col])).long()
print(again.dtype, torch.from_numpy(coo.data))
# => torch.int64 tensor([2., 3., 1.])
print(torch.equal(torch.from_numpy(matrix.toarray()), adjacency))
# => True

# %%
# For an undirected graph whose edges are listed once, add each in the other direction, too. A
# symmetric matrix has both already.

both = torch.cat([edge_index, edge_index.flip(0)], dim=1)
print(both.shape)
# => torch.Size([2, 6])

# %%
# A dense matrix takes memory for each pair of nodes. Here are its bytes in ``float32`` for 100,000
# nodes, beside those of an ``edge_index`` of a million edges.

print(100_000**2 * 4, 1_000_000 * 2 * 8)
# => 40000000000 16000000
