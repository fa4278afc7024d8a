"""
Message
=======

Decide nothing: a case for the tests.
"""

import numpy as np
import torch

try:
    torch.from_numpy([1.0])
except TypeError as error:
    print(error)
# => expected np.ndarray (got list)
