"""
No longer warns
===============

Decide nothing: a case for the tests.
"""

import torch

print(torch.range(0, 1))
# => tensor([0., 1.])
# => UserWarning: torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).
