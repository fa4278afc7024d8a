"""
Many gpus
=========

Decide nothing: a case for the tests.
"""

# sphinx_gallery_tags = ["cuda:64"]

import torch

# %%
# No machine has so many.

print(torch.ones(1, device="cuda:63"))
# => tensor([1.], device='cuda:63')
