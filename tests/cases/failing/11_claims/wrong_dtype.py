"""
Wrong dtype
===========

Decide nothing: a case for the tests.
"""

import torch

# %%
# The value is right, the dtype is not.

print(torch.tensor([1, 2], dtype=torch.int32))
# => tensor([1, 2], dtype=torch.int16)
