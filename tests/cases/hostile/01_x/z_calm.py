"""
Title
=====

Decide something.
"""

import torch
print(torch.ones(1))
# => tensor([1.])
