"""
Ends
====

Decide nothing: a case for the tests.
"""

import torch

print("before")
# => before
tensor = torch.frombuffer(bytearray(8), dtype=torch.float32)
print(tensor.shape)
# => torch.Size([2])

# %%
# What is not reached any more is the consequence of one change.

print(tensor.dtype)
# => torch.float32
