"""
Value
=====

Decide nothing: a case for the tests.
"""

import torch

print(torch.trace(torch.ones(2, 2)))
# => tensor(2.)
