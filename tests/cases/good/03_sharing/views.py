"""
Views
=====

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

array = np.zeros(4)
tensor = torch.from_numpy(array)
copied = torch.tensor(array)

# %%
# The halves of a tensor see the same buffer and no common byte.

batch = [tensor[:2], tensor[2:]]
del copied
_hidden = array

# %%
# A block without data still has a snapshot.

del array, tensor, batch
print("gone")
# => gone
