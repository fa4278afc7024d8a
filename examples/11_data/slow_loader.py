"""
The GPU waits for the DataLoader: measure it, then change what costs
====================================================================

Time the loader without the model, then the model on one batch that you keep: the larger number is what
costs. If it is the loader, do less work per item first; add workers second.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "speed", "device", "pinned", "files"]

import os
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler

# %%
# Is it the loader?
# -----------------
#
# A GPU whose utilisation is low, or drops to zero again and again, may be waiting for a batch. This dataset
# notes each call of ``__getitem__``. On a GPU set ``device`` to ``"cuda"``.

device = "cpu"
images = np.random.default_rng(0).integers(0, 256, (8, 3, 4, 4), dtype=np.uint8)
model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(48, 2)).to(device)
calls = []


class Images(Dataset):
    def __len__(self):
        return len(images)

    def __getitem__(self, index):
        calls.append(index)
        return torch.from_numpy(images[index].astype(np.float32) / 255)


# %%
# Run the loader without the model, the model on a batch that you keep, and both. Work on a GPU goes on after
# the call has returned, so wait for it before you read the clock.


def train(batch):
    model(batch.to(device)).sum().backward()


def seconds(batches, step):
    start = time.perf_counter()
    for batch in batches:
        step(batch)
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - start


loader = DataLoader(Images(), batch_size=4)
kept = next(iter(loader))
times = {
    "loader": seconds(loader, lambda batch: None),
    "model": seconds([kept] * len(loader), train),
    "both": seconds(loader, train),
}
print(list(times))
# => ['loader', 'model', 'both']

# %%
# Print ``times`` for some hundred batches of your own, and leave out the first ones. If *both* is close to
# *loader*, the loader costs: read on. If it is close to *model*, more workers change little. A ``loss.item()``
# in each step makes the CPU wait for the GPU, so the time seems to go into that line.

# %%
# Does the setting arrive?
# ------------------------
#
# Print what the loader has, and ask which process read the items. A framework may build the loader itself:
# Hugging Face's ``Trainer`` takes ``dataloader_num_workers``, which is 0 by default.

print(loader.num_workers, loader.persistent_workers, loader.pin_memory)
# => 0 False False


class Pids(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, index):
        return os.getpid()


def pids_of_epoch(loader):
    return set(torch.cat(list(loader)).tolist())


print(pids_of_epoch(DataLoader(Pids())) == {os.getpid()})
# => True
workers = DataLoader(Pids(), num_workers=2, persistent_workers=True, prefetch_factor=4)
first_epoch = pids_of_epoch(workers)
print(len(first_epoch), os.getpid() in first_epoch)
# => 2 False

# %%
# Do the work once
# ----------------
#
# ``Images`` casts and divides each item again in each epoch. Hold the ``uint8`` images in one tensor, and let
# the device convert the batch: it also receives a quarter of the bytes.

stored = torch.from_numpy(images)
batch = stored[:4].to(device).float() / 255
print(torch.equal(batch.cpu(), kept), kept.nbytes // stored[:4].nbytes)
# => True 4

# %%
# To see what else an item costs, run ``cProfile`` with ``num_workers=0``: it does not look into workers.
# Decode and resize once, and store the result. :doc:`/gallery/11_data/convert_once`,
# :doc:`/gallery/12_files/images_on_device`.

# %%
# Make fewer Python objects
# -------------------------
#
# A batch of four is four calls and a collate. With a ``BatchSampler`` as ``sampler`` and ``batch_size=None``,
# the dataset gets the list of indices, and one call returns the batch.


class Batches(Dataset):
    def __len__(self):
        return len(stored)

    def __getitem__(self, indices):
        calls.append(indices)
        return stored[indices]


calls.clear()
shapes = [batch.shape for batch in DataLoader(Images(), batch_size=4)]
print(len(calls), shapes)
# => 8 [torch.Size([4, 3, 4, 4]), torch.Size([4, 3, 4, 4])]
calls.clear()
dataset = Batches()
sampler = BatchSampler(RandomSampler(dataset), batch_size=4, drop_last=False)
shapes = [batch.shape for batch in DataLoader(dataset, sampler=sampler, batch_size=None)]
print(len(calls), shapes)
# => 2 [torch.Size([4, 3, 4, 4]), torch.Size([4, 3, 4, 4])]

# %%
# Lists of paths or dicts are better kept as arrays: :doc:`/gallery/11_data/lists_in_workers`.

# %%
# Add workers, and keep them
# --------------------------
#
# Start with two workers, and double their number while *loader* falls, up to the cores that the job may use.
# ``persistent_workers=True`` keeps the processes for the next epoch, which then begins without a pause.

print(pids_of_epoch(workers) == first_epoch)
# => True

# %%
# ``num_workers * prefetch_factor`` batches are read ahead. They even out items that differ in cost, and take
# memory. If workers deliver less than the model uses, a larger number delays the wait but does not end it:
# pauses after each ``num_workers`` batches are a sign of this.

print(workers.num_workers * workers.prefetch_factor)
# => 8

# %%
# Under ``spawn``, the default on Windows and macOS, start the loop below ``if __name__ == "__main__":``.
# The costs of workers: :doc:`/gallery/11_data/worker_start`.

# %%
# One thread per worker
# ---------------------
#
# Torch uses one thread in a worker. OpenCV and NumPy's BLAS do not know this, and may start one per core in
# each worker: :doc:`/gallery/11_data/thread_counts`.


class Threads(Pids):
    def __getitem__(self, index):
        return torch.get_num_threads()


print(set(torch.cat(list(DataLoader(Threads(), num_workers=2))).tolist()))
# => {1}

# %%
# Copy to the GPU while it computes
# ---------------------------------
#
# ``pin_memory=True`` puts batches into pinned memory, from which ``non_blocking=True`` copies without making
# the CPU wait. Set both, and read the result on the CPU as late as possible.
# :doc:`/gallery/11_data/pinned_batches`.

loader = DataLoader(Images(), batch_size=4, pin_memory=device == "cuda")
on_device = [batch.to(device, non_blocking=True) for batch in loader]
print(len(on_device), on_device[0].device.type)
# => 2 cpu

# %%
# Many small files: pack them
# ---------------------------
#
# If a second epoch takes much less time than the first, the disk is probably the limit: the system now has the
# files in memory. Write the samples into one ``.npy`` file, and map it.

folder = Path(tempfile.mkdtemp())
for number, image in enumerate(images):
    np.save(folder / f"{number}.npy", image)
paths = sorted(folder.glob("*.npy"))
packed = np.lib.format.open_memmap(
    folder / "packed.npy", mode="w+", dtype=np.uint8, shape=(len(paths), 3, 4, 4)
)
for row, path in enumerate(paths):
    packed[row] = np.load(path)
packed.flush()
mapped = np.load(folder / "packed.npy", mmap_mode="r")
print(len(paths), type(mapped).__name__, torch.from_numpy(mapped[[5, 0]]).shape)
# => 8 memmap torch.Size([2, 3, 4, 4])

# %%
# The dataset for it: :doc:`/gallery/11_data/mapped_datasets`. Other containers:
# :doc:`/gallery/12_files/h5py_datasets`, :doc:`/gallery/12_files/tar_shards`. A copy on a local disk also helps
# if the files are on a network drive.

# %%
# What does not help
# ------------------
#
# - A larger ``batch_size``: the work per item stays the same.
# - More workers than cores, unless they wait for a disk or a network: they take turns, and each costs memory.
# - ``pin_memory`` or ``prefetch_factor`` for an expensive ``__getitem__``.
# - ``.to("cuda")`` in ``__getitem__``: one copy per item instead of one per batch, and often an error in forked
#   workers. :doc:`/gallery/11_data/workers_without_cuda`.
# - Mixed precision: a model that needs less time waits longer for the same loader.
