"""
Device
======

Decide nothing: a case for the tests.
"""

import torch

ones = torch.ones(2)
like = torch.zeros_like(ones)
