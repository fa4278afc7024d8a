"""
Sparse, nested and masked tensors to NumPy
==========================================

Call ``to_dense()`` before ``numpy()`` on a sparse or oneDNN tensor and ``unbind()`` on a nested
one; convert the data and mask of a masked tensor separately. ``force=True`` helps with a ZeroTensor
only.
"""

# sphinx_gallery_tags = ["layout", "sparse", "mask", "error"]

import warnings

import numpy as np
import torch
from torch.masked import masked_tensor

# %%
# An array is one block of memory with strides. Some tensors are not, and ``force=True`` helps with
# one kind only, the last below. Several of them are prototypes and warn when they are made; the
# filter hides it.

warnings.simplefilter("ignore")
tensor = torch.tensor([[0.0, 7.0], [0.0, 0.0]])

# %%
# Sparse formats and the internal format of oneDNN say in the message what to do:
# :meth:`torch.Tensor.to_dense`.

for special in [tensor.to_sparse(), tensor.to_sparse_csr(), tensor.to_mkldnn()]:
    try:
        special.numpy(force=True)
    except TypeError as error:
        print(error)
    print(special.to_dense().numpy().shape)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.
# => (2, 2)
# => can't convert SparseCsr layout tensor to numpy. Use Tensor.to_dense() first.
# => (2, 2)
# => can't convert Mkldnn layout tensor to numpy. Use Tensor.to_dense() first.
# => (2, 2)

# %%
# The compressed formats have parts that are ordinary tensors, and SciPy builds its own matrix from
# the same three. No zeros are written: :doc:`/gallery/13_errors/sparse_layout`.

rows = tensor.to_sparse_csr()
print(rows.crow_indices().numpy(), rows.col_indices().numpy(), rows.values().numpy())
# => [0 1 1] [1] [7.]

# %%
# A nested tensor of the older kind answers with an internal error. Each of its parts converts.

nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.strided)
try:
    nested.numpy()
except RuntimeError as error:
    print(error)
# => Internal error: NestedTensorImpl doesn't support sizes. Please file an issue.
print([part.numpy().shape for part in nested.unbind()])
# => [(2,), (3,)]

# %%
# A `masked tensor <https://docs.pytorch.org/docs/stable/masked.html>`__ is a pair of tensors, and a
# masked array a pair of arrays. The masks mean the opposite: true is valid here, and hidden in
# NumPy.

masked = masked_tensor(torch.tensor([1.0, 99.0]), torch.tensor([True, False]))
try:
    masked.numpy()
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.
print(np.ma.masked_array(masked.get_data().numpy(), mask=~masked.get_mask().numpy()))
# => [1.0 --]

# %%
# For a gradient that is known to be zero, autograd has `a tensor without memory
# <https://github.com/pytorch/pytorch/issues/69687>`__. Here ``force`` does help: it makes the
# zeros.

zeros = torch._efficientzerotensor((2,))
try:
    zeros.numpy()
except RuntimeError as error:
    print(str(error).strip())
    print(zeros.numpy(force=True))
# => Cannot convert a ZeroTensor to numpy. Set force=True if you need the zero array.
# => [0. 0.]
