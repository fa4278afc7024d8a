"""
Copies
======

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

array = np.zeros(2)
tensor = torch.as_tensor(array)
