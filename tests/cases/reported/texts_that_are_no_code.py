"""
Texts that are no code
======================

Decide nothing: a case for the tests.
"""

# https://github.com/pydantic/pytest-examples/issues/11
# There, printed values that are no code could not be written below the statement.

import torch

print(object.__repr__(torch.nn.Linear(1, 1)).split(" at ")[0], print, len, int)
print(torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU()))

# %%

print("# => a claim?", '"""', "# %%", "\\d \\n", sep="\n")
print({"a": {1, 2}, "b": [None, ...]}, range(3), slice(1, None), 1e400, -0.0)
print(*"tabs\tand", "\ttabs ", sep="|")
print(end="no end of line")
