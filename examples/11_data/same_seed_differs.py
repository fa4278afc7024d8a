"""
Same seed, different results: seeds, workers, GPU kernels
=========================================================

Seed Python, NumPy and torch, give the loader a seeded ``generator``, and turn on
``torch.use_deterministic_algorithms(True)`` on a GPU. CPU and GPU draw different numbers from one seed.
"""

# sphinx_gallery_tags = ["seed", "reproducible", "deterministic", "random", "cudnn", "shuffle", "workers", "augmentation"]

import random

import numpy as np
import torch
from torch.utils.data import DataLoader

# %%
# There are three global generators, and a library for augmentation may use one of them or its own. A
# generator of ``np.random.default_rng()`` does not follow ``np.random.seed``: give it a seed.


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def draw():
    return random.random(), np.random.rand(), torch.rand(1).item()


seed_everything(0)
first = draw()
seed_everything(0)
print(draw() == first)
# => True

# %%
# One seed gives other numbers in NumPy, in torch and on a GPU. ``np.random`` and torch on the CPU run the
# same Mersenne Twister, but turn its bits into floats in different ways. For the same numbers in both
# libraries, draw once and convert.

print(np.isclose(first[1], first[2]), torch.from_numpy(np.random.rand(2)).dtype)
# => False torch.float64

# %%
# A number drawn in between changes those that follow. A ``Generator`` of its own keeps the order of a loader
# independent of the rest.


def order(seed):
    generator = torch.Generator().manual_seed(seed)
    return [int(batch) for batch in DataLoader(range(6), shuffle=True, generator=generator)]


torch.rand(3)
print(order(0) == order(0))
# => True

# %%
# With this generator, the loader also seeds ``random``, torch and ``np.random`` in each worker. Of a NumPy
# ``Generator`` that the dataset owns, each worker gets the same copy: :doc:`/gallery/11_data/worker_seeds`.

# %%
# GPU kernels
# -----------
#
# Some kernels add in an order that differs from run to run. ``use_deterministic_algorithms`` chooses others, or
# raises for an operation that has none; cuBLAS also needs the variable ``CUBLAS_WORKSPACE_CONFIG=:4096:8``.

torch.use_deterministic_algorithms(True)
torch.backends.cudnn.benchmark = False
print(torch.are_deterministic_algorithms_enabled())
# => True
torch.use_deterministic_algorithms(False)

# %%
# Another GPU, release or batch size may still give other last digits: :doc:`/gallery/07_cuda/sums_on_gpu`.

x = torch.rand(1000, generator=torch.Generator().manual_seed(0))
print(torch.allclose(x.sum(), x.flip(0).sum()))
# => True
