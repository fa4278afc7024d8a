"""
TypeError: can't convert Sparse layout tensor to numpy
======================================================

``numpy()`` does not fill in the zeros of a sparse tensor: call ``to_dense()`` first.

.. fix::

   - sparse.numpy()
   + sparse.to_dense().numpy()
"""

# sphinx_gallery_tags = ["sparse", "layout", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# A `sparse tensor <https://docs.pytorch.org/docs/stable/sparse.html>`__ stores positions and
# values, while a :class:`numpy.ndarray` is one block of memory with strides. PyTorch does not fill
# in the zeros unless you ask for it. The message names the layout.

sparse = torch.tensor([[0.0, 7.0], [0.0, 0.0]]).to_sparse()
try:
    sparse.numpy()
except TypeError as error:
    print(error)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.

# %%
# The fix
# -------
#
# If the zeros fit in memory, :meth:`torch.Tensor.to_dense` writes them out.

print(sparse.to_dense().numpy())
# => [[0. 7.]
# =>  [0. 0.]]

# %%
# If they do not, convert the positions and values of this COO tensor, which are ordinary tensors.
# You can build a SciPy COO matrix from the positions, the values and the shape.

print(sparse.indices().numpy().tolist(), sparse.values().numpy(), tuple(sparse.shape))
# => [[0], [1]] [7.] (2, 2)

# %%
# What does not help
# ------------------
#
# ``force=True`` and ``cpu()`` do not change the layout.

try:
    sparse.numpy(force=True)
except TypeError as error:
    print(error)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.
try:
    sparse.cpu().numpy()
except TypeError as error:
    print(error)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.

# %%
# DLPack is for strided memory too. It raises ``BufferError`` `since 2.9
# <https://github.com/pytorch/pytorch/pull/150691>`__, and ``RuntimeError`` before.

try:
    np.from_dlpack(sparse)
except (BufferError, RuntimeError) as error:
    print(error)
# => Can't export tensors with layout other than torch.strided

# %%
# A sparse tensor that you build yourself may contain a position twice; the element is then the sum.
# In that case ``values()`` raises, and the private ``_values()`` returns the parts of the sum. Call
# ``coalesce()`` first.

twice = torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (2,), check_invariants=True)
try:
    twice.values()
except RuntimeError as error:
    print(error)
# => Cannot get values on an uncoalesced tensor, please call .coalesce() first
print(twice._values().numpy(), twice.coalesce().values().numpy())
# => [1. 2.] [3.]
