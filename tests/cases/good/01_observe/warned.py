"""
Warned
======

Decide nothing: a case for the tests.
"""

import warnings

import numpy as np
import torch

# %%
# torch warns once a process by itself; here it warns each time.

array = np.zeros(2)
array.flags.writeable = False
torch.from_numpy(array)
# => UserWarning: The given NumPy array is not ...
tensor = torch.from_numpy(array)
# => UserWarning: The given NumPy array is not ...

# %%
# stdout first, then each warning on one line.

warnings.warn("two\nlines", stacklevel=1), print("printed")
# => printed
# => UserWarning: two lines
for _ in range(2):
    warnings.warn("again", DeprecationWarning, stacklevel=1)
# => DeprecationWarning: again
# => DeprecationWarning: again

# %%
# What the example records itself is its own affair.

with warnings.catch_warnings(record=True) as caught:
    warnings.warn("mine", stacklevel=1)
print(len(caught))
# => 1
