"""
A dataset that is on the GPU already
====================================

A dataset that is on the GPU already needs neither ``pin_memory`` nor workers: index it in batches
instead of loading it.
"""

# sphinx_gallery_tags = ["cuda", "dataloader", "pinned", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, TensorDataset

# %%
# ``pin_memory=True`` copies tensors of a batch to page-locked memory on the CPU. It raises for a
# batch that is already on the GPU: :doc:`/gallery/13_errors/pin_cuda_tensor`.

array = np.arange(8, dtype=np.float32).reshape(4, 2)
on_gpu = torch.from_numpy(array).to("cuda")
try:
    next(iter(DataLoader(TensorDataset(on_gpu), batch_size=2, pin_memory=True)))
except RuntimeError as error:
    print(error)
# => cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned

# %%
# Without ``pin_memory`` the loader works. It picks the samples one by one and stacks them.

(batch,) = next(iter(DataLoader(TensorDataset(on_gpu), batch_size=2)))
print(batch.device)
# => cuda:0

# %%
# Indexing with a permutation gives shuffled batches, each in one operation.

order = torch.randperm(len(on_gpu), device="cuda")
for rows in order.split(2):
    print(on_gpu[rows].shape, on_gpu[rows].device)
# => torch.Size([2, 2]) cuda:0
# => torch.Size([2, 2]) cuda:0

# %%
# If the dataset does not fit on the GPU, keep it on the CPU, pin the batches, and move them in the
# training loop.

loader = DataLoader(TensorDataset(torch.from_numpy(array)), batch_size=2, pin_memory=True)
for (batch,) in loader:
    moved = batch.to("cuda", non_blocking=True)
print(batch.is_pinned(), moved.device)
# => True cuda:0
