"""
RuntimeError: cannot pin … only dense CPU tensors can be pinned
===============================================================

The batch is on a GPU already, and pinning is for CPU memory: keep the dataset on the CPU and move
each batch with ``batch.to("cuda", non_blocking=True)``, or leave ``pin_memory`` out.

.. fix::

   - elsewhere.pin_memory()
   + dataset = TensorDataset(torch.from_numpy(array))
   + loader = DataLoader(dataset, batch_size=2, pin_memory=True)
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
# Pinned memory is CPU memory that the operating system may not move, so that a GPU can read it
# directly. A tensor on a GPU has no CPU memory. If the dataset holds CUDA tensors, the loader with
# ``pin_memory=True`` raises
# ``cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned`` at the first batch.
# With workers, the message begins with ``Caught RuntimeError in pin memory thread``. Here a
# ``meta`` tensor stands for the CUDA tensor.

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
# Keep the dataset on the CPU, pin in the loader, and move each batch in the training loop. On a
# machine with a GPU write ``"cuda"`` instead of ``"cpu"``. Without a GPU the loader does not pin,
# and warns; the filter hides that warning here.

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
# If the whole dataset fits on the GPU, leave ``pin_memory`` out: there is no transfer that it could
# speed up. You can index the tensor in batches instead of using a loader.

(batch,) = next(iter(DataLoader(TensorDataset(elsewhere), batch_size=2)))
print(batch.device, elsewhere[:2].shape)
# => meta torch.Size([2, 2])

# %%
# The same error appears with ``pin_memory=True`` if a collate function moves tensors to the GPU.
# Return CPU tensors from it.


def collate(rows):
    return torch.from_numpy(np.stack(rows))


print(next(iter(DataLoader(array, batch_size=4, collate_fn=collate))).device)
# => cpu

# %%
# What does not help
# ------------------
#
# More workers do not help. A forked worker `does not work with CUDA
# <https://docs.pytorch.org/docs/stable/notes/multiprocessing.html>`__, and a spawned worker sends
# back a tensor that is still on the GPU. Pinning a copy of the tensor does not help either.

try:
    elsewhere.clone().pin_memory()
except RuntimeError as error:
    print(error)
# => cannot pin 'MetaFloatType' only dense CPU tensors can be pinned

# %%
# If your collate function returns an array, the loader returns it unchanged. See
# :doc:`/gallery/11_data/pinned_batches`. For the error and both fixes on a real GPU see
# :doc:`/gallery/11_data/cuda_datasets`.

loader = DataLoader(array, batch_size=4, collate_fn=np.stack)
print(type(next(iter(loader))))
# => <class 'numpy.ndarray'>
