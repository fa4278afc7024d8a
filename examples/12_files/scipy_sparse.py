"""
SciPy sparse matrix to a torch sparse tensor
============================================

Pass ``indptr``, ``indices`` and ``data`` of a SciPy CSR matrix to ``torch.sparse_csr_tensor`` with
``torch.from_numpy``: all three stay shared unless you ``copy()`` them.
"""

# sphinx_gallery_tags = ["scipy", "sparse", "sharing"]

import warnings

import numpy as np
import scipy.sparse
import torch

# %%
# A SciPy matrix is no array. NumPy wraps it as a single object, without a complaint, and torch then
# refuses the object.

matrix = scipy.sparse.csr_array(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]]))
wrapped = np.asarray(matrix)
print(wrapped.shape, wrapped.dtype)
# => () object
try:
    torch.from_numpy(matrix)
except TypeError as error:
    print(error)
# => expected np.ndarray (got csr_array)

# %%
# Its three arrays are the matrix: row pointers, column indices, values. torch wants the same three,
# and calls the layout beta in a warning, which is left out here.

warnings.filterwarnings("ignore", message="Sparse")
tensor = torch.sparse_csr_tensor(
    torch.from_numpy(matrix.indptr),
    torch.from_numpy(matrix.indices),
    torch.from_numpy(matrix.data),
    size=matrix.shape,
)
print(tensor.to_dense())
# => tensor([[0., 2., 0.],
# =>         [1., 0., 3.]], dtype=torch.float64)

# %%
# Nothing was copied: a write to the values of the one is seen by the other. ``copy()`` of the three
# arrays separates them.

matrix.data[0] = 20
print(tensor.values())
# => tensor([20.,  1.,  3.], dtype=torch.float64)

# %%
# In this layout torch keeps the int32 indices of SciPy. The COO layout of torch has int64 only, so
# there the indices are a copy, while the values are shared.

coo = matrix.tocoo()
indices = torch.from_numpy(np.stack([coo.row, coo.col]))
pairs = torch.sparse_coo_tensor(indices, torch.from_numpy(coo.data), coo.shape)
print(tensor.col_indices().dtype, pairs._indices().dtype)
# => torch.int32 torch.int64
coo.data[0] = 40
print(pairs.to_dense()[0, 1])
# => tensor(40., dtype=torch.float64)

# %%
# ``numpy()`` refuses both layouts, as :doc:`/gallery/13_errors/sparse_layout` shows. The way back
# is the same three arrays.

back = scipy.sparse.csr_array(
    (tensor.values().numpy(), tensor.col_indices().numpy(), tensor.crow_indices().numpy()),
    shape=tuple(tensor.shape),
)
print(np.shares_memory(back.data, matrix.data))
# => True

# %%
# In a product the matrix decides: SciPy takes the tensor for an array and returns one, outside
# autograd, and the matrix of torch gives a tensor.

weights = torch.ones(3, dtype=torch.float64)
print(type(matrix @ weights), type(tensor @ weights))
# => <class 'numpy.ndarray'> <class 'torch.Tensor'>
