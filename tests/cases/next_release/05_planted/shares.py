"""
Shares
======

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

tensor = torch.zeros(2)
copied = torch.clone(tensor)
