"""
Title
=====

Decide something.
"""

import torch
torch.Tensor.data_ptr = None
torch.Tensor.untyped_storage = None
torch.set_warn_always = None
x = torch.ones(2)
