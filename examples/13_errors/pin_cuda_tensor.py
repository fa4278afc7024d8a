"""
RuntimeError: cannot pin … only dense CPU tensors can be pinned
===============================================================

A batch that is on a GPU already cannot be pinned: keep the dataset on the CPU and move each batch, or
leave ``pin_memory`` out.

.. fix::

   - elsewhere.pin_memory()
   + dataset = TensorDataset(torch.from_numpy(array))
   + loader = DataLoader(dataset, batch_size=2, pin_memory=True)
   + for (batch,) in loader:
   +     batch = batch.to("cpu", non_blocking=True)  # "cuda" where there is one
"""

# sphinx_gallery_tags = ["pinned", "dataloader", "device", "error"]

import warnings

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

# %%
# The error
# ---------
#
# Pinned memory is memory of the host that the system may not move, so that a GPU can fetch it.
# A tensor on a GPU has none. With a dataset of CUDA tensors the loader's ``pin_memory=True`` raises
# ``cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned``, at the first batch;
# with workers it begins with ``Caught RuntimeError in pin memory thread``. A ``meta`` tensor stands
# for the one on the GPU here.

elsewhere = torch.zeros(4, 2, device="meta")
try:
    elsewhere.pin_memory()
except RuntimeError as error:
    print(error)
# => cannot pin 'MetaFloatType' only dense CPU tensors can be pinned

# %%
# The fix
# -------
#
# Keep the dataset on the CPU, pin in the loader, and move the batch in the training loop. The
# loader warns on a machine without a GPU, where it pins nothing; the filter keeps that out of this
# page.

array = np.ones((4, 2), dtype=np.float32)
dataset = TensorDataset(torch.from_numpy(array))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    loader = DataLoader(dataset, batch_size=2, pin_memory=True)
    for (batch,) in loader:
        batch = batch.to("cpu", non_blocking=True)  # "cuda" where there is one
print(batch.shape)
# => torch.Size([2, 2])

# %%
# Or, if all of it fits on the GPU, leave ``pin_memory`` out: nothing is transferred any more. A
# loader still picks and stacks the samples one by one, so index the tensor in batches instead.

(batch,) = next(iter(DataLoader(TensorDataset(elsewhere), batch_size=2)))
print(batch.device, elsewhere[:2].shape)
# => meta torch.Size([2, 2])

# %%
# Tensors that a collate function moves to the GPU fail in the same way. Let it return CPU tensors.


def collate(rows):
    return torch.from_numpy(np.stack(rows))


print(next(iter(DataLoader(array, batch_size=4, collate_fn=collate))).device)
# => cpu

# %%
# What does not help
# ------------------
#
# More workers do not. A worker that is forked `cannot use CUDA
# <https://docs.pytorch.org/docs/stable/notes/multiprocessing.html>`__, and one that is spawned sends
# back a tensor that is still on the GPU. Pinning a copy of the tensor does not either.

try:
    elsewhere.clone().pin_memory()
except RuntimeError as error:
    print(error)
# => cannot pin 'MetaFloatType' only dense CPU tensors can be pinned

# %%
# An array instead of the tensor is passed on by the collate function of your own as it is, without
# an error and without being pinned: :doc:`/gallery/11_data/pinned_batches`. With a GPU at hand,
# :doc:`/gallery/11_data/cuda_datasets` runs the error and both fixes.

loader = DataLoader(array, batch_size=4, collate_fn=np.stack)
print(type(next(iter(loader))))
# => <class 'numpy.ndarray'>
