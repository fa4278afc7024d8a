"""
Wrong value
===========

Decide nothing: a case for the tests.
"""

import torch

# %%
# The value is another.

print(torch.tensor([1, 2]).sum())
# => tensor(4)
