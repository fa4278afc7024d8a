"""
Dtype
=====

Decide nothing: a case for the tests.
"""

import torch

positions = torch.arange(3)

# %%
# Nothing that is printed tells the dtype above; this does.

print(torch.arange(3).dtype)
# => torch.int64
