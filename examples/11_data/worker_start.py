"""
DataLoader num_workers: what the workers cost, persistent_workers
=================================================================

Workers are started anew for each epoch unless ``persistent_workers=True``, and each batch is sent between
processes. For samples that are in memory already, compare with ``num_workers=0``.
"""

# sphinx_gallery_tags = ["loader", "workers", "process", "epoch"]

import os

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

# %%
# With ``num_workers=0`` the main process reads the samples itself, between the steps. Workers read the next
# batches in the meantime: they decode and augment, or wait for the disk.


class Pids(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return os.getpid()


print(next(iter(DataLoader(Pids()))).item() == os.getpid())
# => True

# %%
# By default an epoch begins with new processes. Under ``spawn``, the default on Windows and macOS, each of
# them imports the main script and receives the dataset by pickle, so epochs begin with a pause.


def pids_of_two_epochs(**options):
    loader = DataLoader(Pids(), num_workers=1, **options)
    return [set(torch.cat(list(loader)).tolist()) for _ in range(2)]


first, second = pids_of_two_epochs()
print(first == second)
# => False
first, second = pids_of_two_epochs(persistent_workers=True)
print(first == second)
# => True

# %%
# The tensors of a worker's batch go through shared memory to the main process. An array in memory
# needs no worker: index it with a whole batch of indices.

data = TensorDataset(torch.from_numpy(np.arange(8.0)))
print(
    torch.equal(torch.cat([batch for (batch,) in DataLoader(data, batch_size=4)]), data.tensors[0])
)
# => True
order = torch.randperm(len(data))
print([data.tensors[0][chosen].shape for chosen in order.split(4)])
# => [torch.Size([4]), torch.Size([4])]

# %%
# For a dataset with ``__getitem__``, the number of workers by default changes neither the order of the samples
# nor the batches. With the same seed, shuffling gives the same order. Numbers that ``__getitem__`` draws from
# the global generators do change, because each worker has
# :doc:`a seed of its own </gallery/11_data/worker_seeds>`.


def shuffled(workers):
    generator = torch.Generator().manual_seed(0)
    loader = DataLoader(data, shuffle=True, generator=generator, num_workers=workers)
    return torch.cat([batch for (batch,) in loader])


print(torch.equal(shuffled(0), shuffled(2)))
# => True

# %%
# A worker starts with one thread for torch's operations on the CPU. If the GPU waits for the loader:
# :doc:`/gallery/11_data/slow_loader`.


class Threads(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return torch.get_num_threads()


print(next(iter(DataLoader(Threads(), num_workers=1))).item())
# => 1
