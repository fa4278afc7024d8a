"""
Sparse tensors in a DataLoader: a collate function
==================================================

``default_collate`` refuses sparse tensors: pass ``collate_fn=torch.stack``, which joins sparse COO
tensors of one size, or return the rows of a SciPy matrix as dense arrays.
"""

# sphinx_gallery_tags = ["sparse", "collate", "loader", "scipy", "error"]

import numpy as np
import torch
from scipy import sparse
from torch.utils.data import DataLoader, Dataset

# %%
# Without a function of your own, the first batch raises.

samples = [torch.eye(3).to_sparse(), torch.ones(3, 3).to_sparse()]
try:
    next(iter(DataLoader(samples, batch_size=2)))
except RuntimeError as error:
    print(str(error).split(";")[0])
# => Batches of sparse tensors are not currently supported by the default collate_fn

# %%
# ``torch.stack`` makes one sparse tensor with a new first axis.

batch = next(iter(DataLoader(samples, batch_size=2, collate_fn=torch.stack)))
print(batch.layout, batch.shape)
# => torch.sparse_coo torch.Size([2, 3, 3])

# %%
# If the sizes differ, keep a list.

ragged = [torch.eye(3).to_sparse(), torch.eye(4).to_sparse()]
batch = next(iter(DataLoader(ragged, batch_size=2, collate_fn=list)))
print([tensor.shape for tensor in batch])
# => [torch.Size([3, 3]), torch.Size([4, 4])]

# %%
# Rows of a SciPy matrix
# ----------------------
#
# A batch of rows usually fits in memory as a dense tensor. A CSR matrix takes a list of rows at once, so let the
# dataset do so with ``__getitems__``, which the loader calls with the indices of a batch.


class Rows(Dataset):
    def __init__(self, matrix):
        self.matrix = matrix

    def __len__(self):
        return self.matrix.shape[0]

    def __getitems__(self, indices):
        return torch.from_numpy(self.matrix[indices].toarray())


def keep(batch):
    return batch


matrix = sparse.random(10, 6, density=0.3, format="csr", dtype=np.float32, random_state=0)
batch = next(iter(DataLoader(Rows(matrix), batch_size=4, collate_fn=keep)))
print(batch.shape, batch.dtype, np.array_equal(batch, matrix[:4].toarray()))
# => torch.Size([4, 6]) torch.float32 True

# %%
# A worker sends a sparse COO batch as its indices and values. You can also return these as arrays and
# build the sparse tensor in the main process.

coo = matrix[:4].tocoo()
indices = torch.from_numpy(np.stack([coo.row, coo.col]))
values = torch.from_numpy(coo.data)
rebuilt = torch.sparse_coo_tensor(indices, values, coo.shape, check_invariants=True)
print(torch.equal(rebuilt.to_dense(), batch))
# => True
