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
# A SciPy matrix is not an array. NumPy wraps it as a single object, without an error. torch raises.

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
# The matrix consists of three arrays: row pointers, column indices and values. torch needs the same
# three. It warns that its sparse layouts are in beta; this page hides that warning.

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
# The tensor shares them: writing to the values of the matrix changes the tensor. To keep them
# separate, copy the three arrays.

matrix.data[0] = 20
print(tensor.values())
# => tensor([20.,  1.,  3.], dtype=torch.float64)

# %%
# In the CSR layout torch keeps SciPy's ``int32`` indices. Its COO layout has ``int64`` indices, so
# they are copied there, while the values are shared.

coo = matrix.tocoo()
indices = torch.from_numpy(np.stack([coo.row, coo.col]))
pairs = torch.sparse_coo_tensor(indices, torch.from_numpy(coo.data), coo.shape)
print(tensor.col_indices().dtype, pairs._indices().dtype)
# => torch.int32 torch.int64
coo.data[0] = 40
print(pairs.to_dense()[0, 1])
# => tensor(40., dtype=torch.float64)

# %%
# This matrix without a stored value has arrays of length 0, whose stride is 0. With
# invariant checks on, torch 2.11 was reported to say ``expected col_indices to be a contiguous tensor
# per batch``. The release that ran here accepts it.

empty = scipy.sparse.csr_array((3, 4))
print(empty.indices.strides, torch.from_numpy(empty.indices).clone().stride())
# => (0,) (0,)
parts = [torch.from_numpy(part).clone() for part in (empty.indptr, empty.indices, empty.data)]
print(torch.sparse_csr_tensor(*parts, size=empty.shape).to_dense().sum())
# => tensor(0., dtype=torch.float64)

# %%
# ``numpy()`` raises for both layouts, as :doc:`/gallery/13_errors/sparse_layout` shows. To convert
# back, use the same three arrays.

back = scipy.sparse.csr_array(
    (tensor.values().numpy(), tensor.col_indices().numpy(), tensor.crow_indices().numpy()),
    shape=tuple(tensor.shape),
)
print(np.shares_memory(back.data, matrix.data))
# => True

# %%
# In ``matrix @ tensor``, the matrix decides the type of the result. A SciPy matrix gives an array,
# and raises if the tensor requires gradients. A torch matrix gives a tensor.

weights = torch.ones(3, dtype=torch.float64)
print(type(matrix @ weights), type(tensor @ weights))
# => <class 'numpy.ndarray'> <class 'torch.Tensor'>
