"""
Convert arrays to tensors once, or in __getitem__?
==================================================

Convert once, in ``__init__``, if the data fits in memory: then ``__getitem__`` only indexes a tensor.
``from_numpy`` is cheap; reading, decoding and casting are what should not happen again in each epoch.
"""

# sphinx_gallery_tags = ["dataloader", "speed", "memory", "dtype", "copy"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# This dataset casts each row when it is read, in each epoch again.

table = np.random.default_rng(0).random((100, 3))
casts = []


class EachTime(Dataset):
    def __len__(self):
        return len(table)

    def __getitem__(self, index):
        casts.append(index)
        return torch.from_numpy(table[index].astype(np.float32))


for _epoch in range(2):
    for _batch in DataLoader(EachTime(), batch_size=50):
        pass
print(len(casts))
# => 200

# %%
# Here the array becomes a ``float32`` tensor before the first epoch, and an item is a view of it.


class Once(Dataset):
    def __init__(self, array):
        self.rows = torch.from_numpy(array.astype(np.float32))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


dataset = Once(table)
print(dataset[0].dtype, dataset[0].data_ptr() == dataset.rows.data_ptr())
# => torch.float32 True

# %%
# Both give the same batches.

print(torch.equal(next(iter(DataLoader(dataset, 10))), next(iter(DataLoader(EachTime(), 10)))))
# => True

# %%
# ``from_numpy`` shares the memory of an array that has the right dtype already. A cast makes a second copy, so
# drop the first one where memory is short.

shared = torch.from_numpy(table)
print(np.shares_memory(shared.numpy(), table), shared.float().numpy().nbytes, table.nbytes)
# => True 1200 2400

# %%
# With the rows in one tensor, a batch can be one index, without a loop over items and without
# ``default_collate``.

order = torch.randperm(len(dataset))
batch = dataset.rows[order[:10]]
print(batch.shape)
# => torch.Size([10, 3])

# %%
# Work that differs from epoch to epoch, such as random crops, stays in ``__getitem__``. The same holds for data
# that is larger than memory: :doc:`/gallery/11_data/mapped_datasets`. Arrays from ``.npz``:
# :doc:`/gallery/12_files/npz_files`.
