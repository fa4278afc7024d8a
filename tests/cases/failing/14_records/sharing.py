"""
Sharing
=======

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

# %%
# What is printed does not tell whether the memory is the same.

array = np.ones(2)
tensor = torch.from_numpy(array)
print(tensor.sum())
# => tensor(2., dtype=torch.float64)
