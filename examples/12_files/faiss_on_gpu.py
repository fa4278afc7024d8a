"""
faiss GPU index with CUDA tensors or CuPy arrays
================================================

``import faiss.contrib.torch_utils`` lets ``index.add`` and ``index.search`` take torch tensors, on the GPU for
a GPU index. Turn CuPy arrays into tensors with ``torch.from_dlpack``; neither way goes through NumPy.
"""

# sphinx_gallery_tags = ["faiss", "embeddings", "search", "knn", "gpu", "vectors", "dlpack"]

import numpy as np
import torch
from torch.nn import functional as F

# %%
# The import changes the methods of faiss. From then on tensors go in, and the distances and indices that come
# out are tensors on the same device.
#
# .. code-block:: python
#
#    import faiss
#    import faiss.contrib.torch_utils
#
#    index = faiss.GpuIndexFlatIP(faiss.StandardGpuResources(), dimension)
#    index.add(vectors)  # a CUDA tensor, float32, contiguous
#    distances, indices = index.search(queries, 5)

# %%
# Make the vectors rows of a contiguous ``float32`` matrix. On the CPU, ``add`` raises ``AssertionError`` for
# other tensors, while it converts arrays.

vectors = torch.randn(6, 4, dtype=torch.float16).float().contiguous()
print(vectors.dtype, vectors.is_contiguous())
# => torch.float32 True

# %%
# ``torch.from_dlpack`` makes a tensor of a CuPy array on the GPU, as here of a NumPy array, without a copy.

array = np.ones((2, 4), dtype=np.float32)
queries = torch.from_dlpack(array)
print(queries.shape, np.shares_memory(queries.numpy(), array))
# => torch.Size([2, 4]) True

# %%
# For some hundred thousand vectors, a product and ``topk`` in torch do the same search on the device.

similar = (F.normalize(queries) @ F.normalize(vectors).T).topk(3)
print(similar.indices.shape)
# => torch.Size([2, 3])

# %%
# An index on the CPU takes arrays without the import: :doc:`/gallery/12_files/embedding_arrays`.
