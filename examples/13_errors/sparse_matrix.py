"""
TypeError: sparse array length is ambiguous; use getnnz() or shape[0]
=====================================================================

``torch.tensor`` does not read a sparse matrix of SciPy, such as ``adata.X``: make it an array with
``toarray()``, one batch at a time if it is large.

.. fix::

   - torch.tensor(counts)
   + torch.from_numpy(counts.toarray())
   + rows = counts.toarray() if scipy.sparse.issparse(counts) else np.asarray(counts)
"""

# sphinx_gallery_tags = ["scipy", "sparse", "scikit-learn", "error"]

import numpy as np
import scipy.sparse
import torch
from sklearn.gaussian_process import GaussianProcessClassifier

# %%
# The error
# ---------
#
# Tables of counts, one-hot columns and words are often sparse: ``adata.X`` of AnnData, by default the result of
# ``OneHotEncoder`` and ``TfidfVectorizer``, and that of ``scipy.sparse.load_npz``. Older releases of SciPy say ``TypeError: sparse matrix length is
# ambiguous; use getnnz() or shape[0]``.

counts = scipy.sparse.csr_matrix(np.eye(3, dtype=np.float32))
try:
    torch.tensor(counts)
except TypeError as error:
    print(error)
# => sparse array length is ambiguous; use getnnz() or shape[0]
try:
    torch.from_numpy(counts)
except TypeError as error:
    print(error)
# => expected np.ndarray (got csr_matrix)

# %%
# Some estimators refuse it as well. Older releases of scikit-learn say ``TypeError: A sparse
# matrix was passed, but dense data is required. Use X.toarray() to convert to a dense numpy array.``

try:
    GaussianProcessClassifier().fit(counts, [0, 1, 0])
except TypeError as error:
    print(error)
# => Sparse data was passed for X, but dense data is required. Use '.toarray()' to convert to a dense numpy array.

# %%
# The reverse also happens: the data are dense, and the code makes them dense once more.

try:
    counts.toarray().toarray()
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'toarray'

# %%
# SciPy 1.14 removed the short form ``A`` for ``toarray()``.

try:
    print(counts.A)
except AttributeError as error:
    print(error)
# => 'csr_matrix' object has no attribute 'A'

# %%
# The fix
# -------
#
# ``toarray()`` gives an array, here of ``float32``, that ``from_numpy`` shares.

print(torch.from_numpy(counts.toarray()))
# => tensor([[1., 0., 0.],
# =>         [0., 1., 0.],
# =>         [0., 0., 1.]])

# %%
# Ask first if you may get either.

rows = counts.toarray() if scipy.sparse.issparse(counts) else np.asarray(counts)
print(type(rows).__name__)
# => ndarray

# %%
# A large matrix may not fit in memory as an array. Keep it sparse in the dataset, and make rows dense when they
# are read. One row of a ``csr_matrix`` is a matrix of shape ``(1, columns)``; of a ``csr_array`` it has one axis.

print(torch.from_numpy(counts[1].toarray()[0]))
# => tensor([0., 1., 0.])
print(torch.from_numpy(counts[[0, 2]].toarray()))
# => tensor([[1., 0., 0.],
# =>         [0., 0., 1.]])

# %%
# For a sparse tensor, pass the three arrays of the matrix: :doc:`/gallery/12_files/scipy_sparse`.
#
# What does not help
# ------------------
#
# ``np.array`` wraps the matrix in an array with one object.

print(np.array(counts).dtype, np.array(counts).shape)
# => object ()
