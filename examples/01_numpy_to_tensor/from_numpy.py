"""
Sharing memory with from_numpy
==============================

Decide whether a tensor may stay a second view of your array, or must be a copy.
"""

# sphinx_gallery_tags = ["sharing", "from_numpy"]

import numpy as np
import torch

# %%
# ``from_numpy`` copies nothing: a write through the tensor changes the array.

array = np.zeros(3)
tensor = torch.from_numpy(array)
tensor[0] = 7
print(array)
# => [7. 0. 0.]

# %%
# A tensor that records gradients refuses ``numpy()``; ``detach()`` it first.

weights = torch.ones(2, requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
print(weights.detach().numpy())
# => [1. 1.]
