"""
Warns
=====

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

print(torch.asarray(np.ones(1)))
# => tensor([1.], dtype=torch.float64)
