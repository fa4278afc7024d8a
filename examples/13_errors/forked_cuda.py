"""
RuntimeError: Cannot re-initialize CUDA in forked subprocess
============================================================

A forked process raises when it uses CUDA after its parent has: keep CUDA out of data loader
workers, and move each batch in the loop.

.. fix::

   - on_gpu = Samples(rows, "cuda")
   + on_cpu = Samples(rows, "cpu")
   + batch = batch.to(device)
"""

# sphinx_gallery_tags = ["device", "multiprocessing", "dataloader", "workers", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# The error
# ---------
#
# The forked worker inherits a CUDA state that does not work in it, so torch raises. On Linux,
# workers are forked by default up to Python 3.13. This dataset moves each sample to the GPU inside
# the worker. With a CUDA build, calling :func:`torch.cuda.is_available` in the parent is enough to
# cause the error, even on a machine without a GPU, where this page was run.


class Samples(Dataset):
    def __init__(self, rows, device):
        self.rows = rows
        self.device = device

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return torch.from_numpy(self.rows[index]).to(self.device)


rows = np.ones((4, 2), dtype=np.float32)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
on_gpu = Samples(rows, "cuda")
loader = DataLoader(on_gpu, batch_size=2, num_workers=1, multiprocessing_context="fork")
batches = iter(loader)
try:
    next(batches)
except (RuntimeError, AssertionError) as error:
    print(str(error).splitlines()[-1])
# => RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method

# %%
# The fix
# -------
#
# Return CPU tensors from the dataset and move the whole batch in the loop. This makes one copy per
# batch instead of one per sample. See :doc:`/gallery/11_data/workers_without_cuda`. In a server or a task
# queue, load the model inside the worker, so that its parent does not touch CUDA before it forks.

on_cpu = Samples(rows, "cpu")
loader = DataLoader(on_cpu, batch_size=2, num_workers=1, multiprocessing_context="fork")
for batch in loader:
    batch = batch.to(device)
    print(batch.shape)
# => torch.Size([2, 2])
# => torch.Size([2, 2])

# %%
# If the dataset must use the GPU, read it without workers, so that no process is forked. If you
# start a process yourself, use the start method ``spawn`` and `a main guard
# <https://docs.pytorch.org/docs/stable/notes/multiprocessing.html#cuda-in-multiprocessing>`__.

print(len(list(DataLoader(Samples(rows, device), batch_size=2))))
# => 2
print(torch.multiprocessing.get_context("spawn").get_start_method())
# => spawn

# %%
# What does not help
# ------------------
#
# Fewer workers do not help: one worker is forked too.

loader = DataLoader(on_gpu, batch_size=1, num_workers=1, multiprocessing_context="fork")
batches = iter(loader)
try:
    next(batches)
except (RuntimeError, AssertionError) as error:
    print(str(error).splitlines()[-1].split(". ")[0])
# => RuntimeError: Cannot re-initialize CUDA in forked subprocess

# %%
# ``set_start_method("spawn")`` raises if a library has already chosen a method. Call it first under
# the main guard, or pass ``multiprocessing_context="spawn"`` to the loader, which then pickles the
# dataset.

torch.multiprocessing.get_start_method()
try:
    torch.multiprocessing.set_start_method("spawn")
except RuntimeError as error:
    print(error)
# => context has already been set
