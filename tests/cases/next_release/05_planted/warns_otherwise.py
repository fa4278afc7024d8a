"""
Warns otherwise
===============

Decide nothing: a case for the tests.
"""

import torch

rows, columns = torch.meshgrid(torch.ones(1), torch.ones(1))
# => UserWarning: torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument.
