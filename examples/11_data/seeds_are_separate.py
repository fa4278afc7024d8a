"""
torch.manual_seed does not seed NumPy
=====================================

``torch.manual_seed`` does not seed NumPy or Python's ``random``: seed them too, and pass a seed to
``np.random.default_rng`` where you make a generator.
"""

# sphinx_gallery_tags = ["random", "seed"]

import random

import numpy as np
import torch

# %%
# Calling :func:`torch.manual_seed` seeds torch's default generators. The generators of NumPy and
# Python keep their state.

torch.manual_seed(0)
before = (torch.rand(3), np.random.rand(3), random.random())
torch.manual_seed(0)
after = (torch.rand(3), np.random.rand(3), random.random())
print(torch.equal(before[0], after[0]))
# => True
print(np.array_equal(before[1], after[1]), before[2] == after[2])
# => False False

# %%
# The same seed does not give the same numbers. On the CPU, NumPy's legacy generator and torch's
# generator are both a Mersenne Twister, but they turn its bits into floats in different ways.

torch.manual_seed(7)
np.random.seed(7)
print(np.allclose(torch.rand(3, dtype=torch.float64).numpy(), np.random.rand(3)))
# => False

# %%
# A generator from :func:`numpy.random.default_rng` does not depend on ``np.random.seed`` either.
# Pass the seed when you create it.

np.random.seed(0)
one = np.random.default_rng().random()
np.random.seed(0)
two = np.random.default_rng().random()
print(one == two)
# => False
print(np.random.default_rng(0).random() == np.random.default_rng(0).random())
# => True

# %%
# With a generator of its own, one part of a program does not depend on the others: extra draws
# elsewhere do not change its numbers.

torch.manual_seed(0)
own = torch.Generator().manual_seed(3)
expected = torch.rand(2, generator=own)
own.manual_seed(3)
torch.rand(100)
print(torch.equal(torch.rand(2, generator=own), expected))
# => True

# %%
# To control both libraries with one number, draw torch's seed from NumPy's generator instead of
# using the same seed twice.

master = np.random.default_rng(42)
torch.manual_seed(int(master.integers(2**63)))
weights = torch.rand(2)
master = np.random.default_rng(42)
torch.manual_seed(int(master.integers(2**63)))
print(torch.equal(torch.rand(2), weights))
# => True

# %%
# To repeat a part of a run, save and restore the generator's state. Do not rely on equal results on
# other releases, platforms or devices, with a seed or a state: see the `notes on reproducibility
# <https://docs.pytorch.org/docs/stable/notes/randomness.html>`__.

state = torch.get_rng_state()
first = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(torch.rand(2), first))
# => True
