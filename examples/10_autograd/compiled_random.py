"""
np.random inside torch.compile
==============================

In a compiled function ``np.random.rand`` draws from torch's generator: seed it with
``torch.manual_seed`` instead of ``np.random.seed``. Draw outside and pass the numbers in for equal
results.
"""

# sphinx_gallery_tags = ["compile", "random", "silent"]

import numpy as np
import torch

# %%
# ``noisy`` adds random numbers from NumPy. ``repeats`` tests whether the same seed gives the same
# numbers again.


def noisy(values):
    return values + torch.from_numpy(np.random.rand(2))


def repeats(function, seed):
    seed(0)
    first = function(torch.zeros(2))
    seed(0)
    return torch.equal(first, function(torch.zeros(2)))


print(repeats(noisy, np.random.seed), repeats(noisy, torch.manual_seed))
# => True False

# %%
# Compiled, it is the other way round. The compiler `replaces the call by a torch function
# <https://github.com/pytorch/pytorch/blob/main/torch/_numpy/random.py>`__, which draws from torch's
# generator. NumPy's seed does not make it repeatable, and torch does not warn. With
# ``torch._dynamo.config.use_numpy_random_stream = True`` the call draws from NumPy's generator.

compiled = torch.compile(noisy, backend="eager")
print(repeats(compiled, np.random.seed), repeats(compiled, torch.manual_seed))
# => False True

# %%
# Seed both generators to make each version repeatable. By default the two versions still draw
# different numbers, so for a test that compares them, pass the random numbers in.


def seed_both(seed):
    np.random.seed(seed)
    torch.manual_seed(seed)


print(repeats(noisy, seed_both), repeats(compiled, seed_both))
# => True True
seed_both(0)
plain = noisy(torch.zeros(2))
seed_both(0)
print(torch.equal(plain, compiled(torch.zeros(2))))
# => False

# %%
# A :class:`numpy.random.Generator` is not translated. That part runs as plain Python and draws the
# same numbers as without the compiler.


def noisy_from(values, generator):
    return values + torch.from_numpy(generator.random(2))


plain = noisy_from(torch.zeros(2), np.random.default_rng(0))
compiled_from = torch.compile(noisy_from, backend="eager")
print(torch.equal(plain, compiled_from(torch.zeros(2), np.random.default_rng(0))))
# => True

# %%
# It is best to draw the numbers outside and pass them in: the compiled function then uses no
# generator.


def add(values, noise):
    return values + noise


noise = torch.from_numpy(np.random.default_rng(0).random(2))
print(torch.equal(plain, torch.compile(add, backend="eager")(torch.zeros(2), noise)))
# => True
