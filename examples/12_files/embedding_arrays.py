"""
Embeddings to float32 arrays for faiss and vector databases
===========================================================

``embeddings.detach().float().cpu().numpy()`` gives the ``float32`` matrix that faiss takes,
also from ``bfloat16`` or ``float16``. ``tolist()`` makes lists of floats for databases.
"""

# sphinx_gallery_tags = ["embeddings", "faiss", "sentence", "search", "dtype", "scikit-learn", "bfloat16", "layout"]

import numpy as np
import torch
from sklearn.neighbors import NearestNeighbors

# %%
# Indexes such as `faiss <https://github.com/facebookresearch/faiss/wiki/Getting-started>`__ want a
# matrix of ``float32`` with a row for each vector. ``float`` converts half precision; NumPy has no ``bfloat16``.

torch.manual_seed(0)
embeddings = torch.randn(5, 3, dtype=torch.bfloat16)
matrix = embeddings.detach().float().cpu().numpy()
print(matrix.dtype, matrix.shape, matrix.flags.c_contiguous)
# => float32 (5, 3) True

# %%
# A single vector needs an axis for the row. The array of this transposed tensor is not contiguous: libraries in C
# may refuse it, so copy it with ``ascontiguousarray``.

print(matrix[0][None].shape)
# => (1, 3)
turned = embeddings.float().T.numpy()
print(turned.flags.c_contiguous, np.ascontiguousarray(turned).flags.c_contiguous)
# => False True

# %%
# For cosine similarity, give the rows and the queries the length 1. Then the inner product is the
# similarity.

unit = torch.nn.functional.normalize(embeddings.float(), dim=1)
print(torch.allclose(unit.norm(dim=1), torch.ones(5)))
# => True

# %%
# The search of scikit-learn takes arrays, and its indices come back as an array. ``topk`` in torch can search on
# the device, and here it finds the same neighbours.

search = NearestNeighbors(n_neighbors=2, metric="cosine").fit(matrix)
_, neighbours = search.kneighbors(matrix)
print(neighbours.dtype, np.array_equal(neighbours, (unit @ unit.T).topk(2).indices.numpy()))
# => int64 True

# %%
# Databases with an interface of JSON take lists of floats. ``tolist`` makes them from a tensor, ``bfloat16`` too.

row = embeddings[0].tolist()
print(type(row[0]).__name__, len(row))
# => float 3

# %%
# On a GPU, move each batch to the CPU before you keep it: millions of vectors may not fit on the GPU.
# Write into one array rather than join many.

stored = np.empty((10, 3), dtype=np.float32)
for start in range(0, 10, 5):
    stored[start : start + 5] = embeddings.float().cpu()
print(stored.shape, stored.dtype)
# => (10, 3) float32
