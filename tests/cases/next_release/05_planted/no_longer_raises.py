"""
No longer raises
================

Decide nothing: a case for the tests.
"""

import torch

weights = torch.ones(2, requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError
