"""
Another class
=============

Decide nothing: a case for the tests.
"""

import torch

try:
    torch.reshape(torch.ones(2), (3,))
except (RuntimeError, ValueError) as error:
    print(error)
# => shape '[3]' is invalid for input of size 2
