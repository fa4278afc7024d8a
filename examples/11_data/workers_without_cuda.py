"""
CUDA in DataLoader workers
==========================

Keep the GPU out of the workers: let the dataset return arrays or CPU tensors, and move each batch in
the main process.
"""

# sphinx_gallery_tags = ["dataloader", "workers", "multiprocessing", "device"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# A worker that is forked inherits a CUDA state that it cannot use, which is :doc:`an error
# </gallery/13_errors/forked_cuda>` as soon as a sample touches the GPU. A dataset that knows no
# device cannot run into it.


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


rows = np.arange(8, dtype=np.float32).reshape(4, 2)
loader = DataLoader(Rows(rows), batch_size=2, num_workers=1, multiprocessing_context="fork")
print([batch.device.type for batch in loader])
# => ['cpu', 'cpu']

# %%
# The loop moves a whole batch, which is one copy instead of one for each sample. The same lines run
# on a machine without a GPU.

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
weight = torch.ones(2, device=device)
for batch in loader:
    print((batch.to(device) * weight).sum().item())
# => 6.0
# => 22.0

# %%
# A model in a dataset, for features or for a tokenizer's embedding, belongs behind the loader: the
# batch goes through it after the move, in the main process.

model = torch.nn.Linear(2, 1).to(device)
with torch.no_grad():
    features = [model(batch.to(device)).cpu().numpy() for batch in loader]
print(np.concatenate(features).shape)
# => (4, 1)

# %%
# Where a process has to use the GPU, start it with ``spawn``: it imports the script anew, so the
# script needs a main guard, and everything it is given is pickled. A loader takes the method as an
# argument, or inherits the one that ``torch.multiprocessing.set_start_method`` has set.

spawned = DataLoader(Rows(rows), batch_size=2, num_workers=1, multiprocessing_context="spawn")
print(loader.multiprocessing_context.get_start_method())
# => fork
print(spawned.multiprocessing_context.get_start_method())
# => spawn

# %%
# A tensor on the GPU as the dataset needs no workers at all: there is nothing to load, and indexing
# it is one kernel for a batch.

table = torch.from_numpy(rows).to(device)
order = torch.randperm(len(table), device=device)
print([len(table[chosen]) for chosen in order.split(2)])
# => [2, 2]
