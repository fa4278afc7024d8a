"""
torch.manual_seed does not seed NumPy
=====================================

``torch.manual_seed`` seeds only torch: seed NumPy and Python's ``random`` too, and pass a seed to
``np.random.default_rng`` where you make a generator.
"""

# sphinx_gallery_tags = ["random", "seed"]

import random

import numpy as np
import torch

# %%
# :func:`torch.manual_seed` seeds torch and nothing else. The draws of NumPy and of Python go on
# from wherever they were.

torch.manual_seed(0)
before = (torch.rand(3), np.random.rand(3), random.random())
torch.manual_seed(0)
after = (torch.rand(3), np.random.rand(3), random.random())
print(torch.equal(before[0], after[0]))
# => True
print(np.array_equal(before[1], after[1]), before[2] == after[2])
# => False False

# %%
# Equal seeds do not make equal numbers. NumPy's legacy generator and torch's both start from a
# Mersenne Twister on the CPU, and turn its bits into floats in different ways.

torch.manual_seed(7)
np.random.seed(7)
print(np.allclose(torch.rand(3, dtype=torch.float64).numpy(), np.random.rand(3)))
# => False

# %%
# A NumPy generator made with :func:`numpy.random.default_rng` is independent of ``np.random.seed``
# as well. It is seeded where it is made, once.

np.random.seed(0)
one = np.random.default_rng().random()
np.random.seed(0)
two = np.random.default_rng().random()
print(one == two)
# => False
print(np.random.default_rng(0).random() == np.random.default_rng(0).random())
# => True

# %%
# An explicit generator keeps one part of a program from disturbing another: one more draw
# elsewhere changes nothing here.

torch.manual_seed(0)
own = torch.Generator().manual_seed(3)
expected = torch.rand(2, generator=own)
own.manual_seed(3)
torch.rand(100)
print(torch.equal(torch.rand(2, generator=own), expected))
# => True

# %%
# To drive both from one number, draw the seed of one from the other instead of using it twice.

master = np.random.default_rng(42)
torch.manual_seed(int(master.integers(2**63)))
weights = torch.rand(2)
master = np.random.default_rng(42)
torch.manual_seed(int(master.integers(2**63)))
print(torch.equal(torch.rand(2), weights))
# => True

# %%
# To repeat a part of a run, keep the state instead of a seed. Neither makes torch give equal
# results on other releases, platforms or devices, say the `notes on reproducibility
# <https://docs.pytorch.org/docs/stable/notes/randomness.html>`__.

state = torch.get_rng_state()
first = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(torch.rand(2), first))
# => True
