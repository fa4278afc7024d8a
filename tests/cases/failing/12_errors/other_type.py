"""
Other type
==========

Decide nothing: a case for the tests.
"""

import torch

# %%
# The clause waits for another class.

try:
    torch.ones(2, requires_grad=True).numpy()
except TypeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
