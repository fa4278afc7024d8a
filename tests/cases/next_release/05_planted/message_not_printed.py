"""
Message not printed
===================

Decide nothing: a case for the tests.
"""

import torch

try:
    torch.from_numpy([1.0])
except TypeError:
    print("refused")
# => refused
