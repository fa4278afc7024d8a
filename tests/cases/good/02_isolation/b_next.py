"""
B next
======

Decide nothing: a case for the tests.
"""

import builtins
import json
import os
import warnings

import numpy as np
import torch

# %%
# Nothing of the example before is left.

print(np.array([0.123]), torch.tensor(0.123))
# => [0.123] tensor(0.1230)
print(torch.ones(1).dtype)
# => torch.float32
print(torch.initial_seed() == 1, os.environ.get("ATLAS_LEAK"), hasattr(builtins, "leak"), json.dumps(1))
# => False None False 1
print(os.listdir())
# => []
warnings.warn("heard", stacklevel=1)
# => UserWarning: heard
