"""
A leaks
=======

Decide nothing: a case for the tests.
"""

import builtins
import os
import sys
import warnings

import numpy as np
import torch

# %%
# Everything here would spoil the next example.

np.set_printoptions(precision=1)
torch.set_printoptions(precision=1)
torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
os.environ["ATLAS_LEAK"] = "1"
warnings.simplefilter("ignore")
sys.modules["json"] = None
builtins.leak = "leaked"
open("leak.txt", "w").close()
print(np.array([0.123]), torch.ones(1).dtype, os.listdir())
# => [0.1] torch.float64 ['leak.txt']
