"""
Untouched
=========

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

array = np.zeros(2)
tensor = torch.from_numpy(array)
print(tensor.numpy() is array, np.shares_memory(tensor.numpy(), array))
# => False True
print(torch.arange(3, dtype=torch.int16).dtype)
# => torch.int16
try:
    torch.from_numpy(np.array("text"))
except TypeError:
    print("refused")
# => refused
try:
    torch.reshape(torch.ones(2), (2,)).numpy(1, 2)
except TypeError:
    print("refused")
# => refused

# %%
# The planted changes are in the functions that are called above, or next to them.

scalar = torch.ones(1).clone()
print(torch.stack([scalar, torch.as_tensor(1.0).reshape(1)]).sum())
# => tensor(2.)
