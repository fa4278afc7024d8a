"""
ValueError: matmul: Input operand 1 has a mismatch in its core …
================================================================

The rows of the first operand and the columns of the second differ in length: transpose one, or compute both
embeddings with the same model.

.. fix::

   - queries @ passages
   + queries @ passages.T
"""

# sphinx_gallery_tags = ["shape", "matrix", "embeddings", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Rows of embeddings are compared with the rows of others by a product with the transposed matrix.

queries = torch.ones(2, 4).numpy()
passages = torch.ones(3, 4).numpy()
try:
    queries @ passages
except ValueError as error:
    print(error)
# => matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 4)
try:
    np.dot(queries, passages)
except ValueError as error:
    print(error)
# => shapes (2,4) and (3,4) not aligned: 4 (dim 1) != 3 (dim 0)

# %%
# ``torch.mm`` takes matrices, and this tensor has one axis.

try:
    torch.mm(torch.ones(4), torch.ones(4, 2))
except RuntimeError as error:
    print(error)
# => mm: self must be a matrix, got 1-D tensor

# %%
# If the sizes in the message are two widths of embeddings, such as 768 and 512, the stored vectors may come from
# another model than the query.

try:
    queries @ np.ones((3, 6)).T
except ValueError as error:
    print(str(error).split("(")[-1])
# => size 6 is different from 4)

# %%
# The fix
# -------
#
# Print both shapes. Transpose the second operand: ``T`` for one matrix, ``mT`` also for a batch of matrices.

print((queries @ passages.T).shape)
# => (2, 3)
print((torch.from_numpy(queries) @ torch.from_numpy(passages).mT).shape)
# => torch.Size([2, 3])

# %%
# Compute the stored vectors again with the model of the query. If a layer
# expects another width, such as a ``Linear``, take the width from the data.

layer = torch.nn.Linear(queries.shape[-1], 2)
print(layer(torch.from_numpy(queries)).shape)
# => torch.Size([2, 2])

# %%
# One vector has a single axis. ``@`` takes it, and so does ``torch.mv`` as the second operand; ``torch.mm`` takes
# matrices.

print(torch.from_numpy(queries) @ torch.ones(4), torch.ones(4)[None].mm(torch.ones(4, 2)))
# => tensor([4., 4.]) tensor([[4., 4.]])

# %%
# What does not help
# ------------------
#
# ``T`` leaves an array with one axis as it is. ``[:, None]`` makes it a column.

print(np.ones(3).T.shape, np.ones(3)[:, None].shape)
# => (3,) (3, 1)
