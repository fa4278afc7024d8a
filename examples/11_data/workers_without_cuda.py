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
# If the main process has used CUDA, a forked worker inherits a state that is of no use to it: it
# :doc:`raises </gallery/13_errors/forked_cuda>` as soon as a sample uses the GPU. A dataset that
# stays on the CPU avoids this.


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
# The training loop moves a whole batch in one copy instead of one copy per sample. The same code
# runs on a machine without a GPU.

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
weight = torch.ones(2, device=device)
for batch in loader:
    print((batch.to(device) * weight).sum().item())
# => 6.0
# => 22.0

# %%
# If the data has to go through a model, for example to compute features, do not call the model in
# the dataset. Call it in the main process, after moving the batch.

model = torch.nn.Linear(2, 1).to(device)
with torch.no_grad():
    features = [model(batch.to(device)).cpu().numpy() for batch in loader]
print(np.concatenate(features).shape)
# => (4, 1)

# %%
# If a worker process has to use the GPU, start it with ``spawn``. It imports the script again, so
# the script needs a main guard, and its arguments are pickled. A loader accepts the start method as
# an argument, or uses the one from ``torch.multiprocessing.set_start_method``.

spawned = DataLoader(Rows(rows), batch_size=2, num_workers=1, multiprocessing_context="spawn")
print(loader.multiprocessing_context.get_start_method())
# => fork
print(spawned.multiprocessing_context.get_start_method())
# => spawn

# %%
# If the whole dataset is a tensor on the GPU, you need no workers: one indexing operation gives a
# batch.

table = torch.from_numpy(rows).to(device)
order = torch.randperm(len(table), device=device)
print([len(table[chosen]) for chosen in order.split(2)])
# => [2, 2]
