"""
Raises
======

Decide nothing: a case for the tests.
"""

import torch

buffer = bytearray(8)
try:
    print(torch.frombuffer(buffer, dtype=torch.float32).shape)
except RuntimeError as error:
    print(error)
# => torch.Size([2])
