"""
Same random numbers in every DataLoader worker
==============================================

A loader seeds torch and NumPy's global generator in each worker, but copies a generator that the
dataset owns: make it in ``worker_init_fn`` from ``get_worker_info().seed``.
"""

# sphinx_gallery_tags = ["dataloader", "random", "workers", "silent"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info

# %%
# This loader gives each worker its own seed. The worker seeds torch with it and, `since torch 1.9
# <https://github.com/pytorch/pytorch/pull/56488>`__, NumPy's global generator. Two workers
# therefore draw different numbers.


class GlobalNoise(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return np.random.randint(1_000_000)


first, second = DataLoader(GlobalNoise(), num_workers=2, multiprocessing_context="fork")
print(torch.equal(first, second))
# => False

# %%
# The loader does not seed a generator that the dataset owns. The workers start with the same copy,
# so the first item of each worker gets the same noise. NumPy's global generator `once had this
# fault <https://github.com/pytorch/pytorch/issues/5059>`__; a generator of your own still has it.


class OwnNoise(GlobalNoise):
    def __init__(self):
        self.generator = np.random.default_rng(0)

    def __getitem__(self, index):
        return self.generator.integers(1_000_000)


dataset = OwnNoise()
first, second = DataLoader(dataset, num_workers=2, multiprocessing_context="fork")
print(torch.equal(first, second))
# => True

# %%
# The next epoch repeats the same noise: its new workers copy the generator of the main process,
# which has not changed.

again, _ = DataLoader(dataset, num_workers=2, multiprocessing_context="fork")
print(torch.equal(first, again))
# => True

# %%
# Create the generator in the worker, from the seed that the loader gave the worker.


def reseed(_worker):
    info = get_worker_info()
    info.dataset.generator = np.random.default_rng(info.seed)


loader = DataLoader(dataset, num_workers=2, multiprocessing_context="fork", worker_init_fn=reseed)
first, second = loader
again, _ = loader
print(torch.equal(first, second), torch.equal(first, again))
# => False False

# %%
# To repeat a run with this loader, seed torch in the main process. The seeds of the workers derive
# from it, and so does the noise.

torch.manual_seed(0)
one = torch.cat(list(loader))
torch.manual_seed(0)
two = torch.cat(list(loader))
print(torch.equal(one, two))
# => True

# %%
# Do not use a constant seed in ``worker_init_fn``: it makes the workers draw the same numbers
# again.

constant = DataLoader(
    GlobalNoise(),
    num_workers=2,
    multiprocessing_context="fork",
    worker_init_fn=lambda _worker: np.random.seed(0),
)
first, second = constant
print(torch.equal(first, second))
# => True
