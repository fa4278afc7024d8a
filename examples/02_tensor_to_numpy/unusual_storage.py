"""
Sparse, nested and masked tensors to NumPy
==========================================

Call ``to_dense()`` before ``numpy()`` on a sparse or oneDNN tensor and ``unbind()`` on a nested
tensor. Convert data and mask of a masked tensor separately. ``force=True`` helps for a
ZeroTensor, not for these.
"""

# sphinx_gallery_tags = ["layout", "sparse", "mask", "error"]

import warnings

import numpy as np
import torch
from torch.masked import masked_tensor

# %%
# A NumPy array is one block of memory with strides, and some tensors are not. ``force=True`` helps
# with only one kind of them, the last below. Some are prototypes and warn when you make them; the
# filter hides these warnings.

warnings.simplefilter("ignore")
tensor = torch.tensor([[0.0, 7.0], [0.0, 0.0]])

# %%
# For sparse tensors and oneDNN's internal format, the message names the fix:
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
# A compressed sparse tensor consists of three ordinary tensors, which convert without adding zeros.
# SciPy can build its own sparse matrix from them: :doc:`/gallery/13_errors/sparse_layout`.

rows = tensor.to_sparse_csr()
print(rows.crow_indices().numpy(), rows.col_indices().numpy(), rows.values().numpy())
# => [0 1 1] [1] [7.]

# %%
# A nested tensor of the older kind raises an internal error. Convert each of its parts instead.

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
# masked array a pair of arrays. Their masks have opposite meanings: ``True`` marks valid elements
# in torch and hidden ones in NumPy.

masked = masked_tensor(torch.tensor([1.0, 99.0]), torch.tensor([True, False]))
try:
    masked.numpy()
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.
print(np.ma.masked_array(masked.get_data().numpy(), mask=~masked.get_mask().numpy()))
# => [1.0 --]

# %%
# Autograd uses `a tensor without memory <https://github.com/pytorch/pytorch/issues/69687>`__ for a
# gradient that is known to be zero. Here ``force=True`` does help: it returns an array of zeros.

zeros = torch._efficientzerotensor((2,))
try:
    zeros.numpy()
except RuntimeError as error:
    print(str(error).strip())
    print(zeros.numpy(force=True))
# => Cannot convert a ZeroTensor to numpy. Set force=True if you need the zero array.
# => [0. 0.]
