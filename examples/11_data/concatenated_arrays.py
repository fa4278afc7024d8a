"""
Concatenate arrays in a collate function, then call from_numpy
==============================================================

``torch.from_numpy(np.concatenate(arrays))`` copies the values once and does not warn about
read-only arrays. Converting the arrays before ``torch.cat`` warns, although ``cat`` copies.
"""

# sphinx_gallery_tags = ["dataloader", "collate", "read-only", "copy"]

import warnings

import numpy as np
import torch
from torch.utils.data import DataLoader

# %%
# Rows of an immutable buffer, or of a file mapped in mode ``r``, are read-only. ``from_numpy`` warns
# about the first of these rows, although ``torch.cat`` copies the values right afterwards.

rows = [np.full(2, index, dtype=np.float32) for index in range(3)]
for row in rows:
    row.setflags(write=False)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    joined = torch.cat([torch.from_numpy(row) for row in rows])
print("not writable" in str(caught[0].message), joined)
# => True tensor([0., 0., 1., 1., 2., 2.])

# %%
# ``torch.tensor(row)`` for each row does not warn, but copies twice. Join the arrays in NumPy: the
# result is new memory that may be written to, and the tensor shares it.

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    array = np.concatenate(rows)
    joined = torch.from_numpy(array)
print(caught, np.shares_memory(joined.numpy(), array))
# => [] True

# %%
# ``np.stack`` does the same for rows that become a batch with an axis of its own.


def collate(rows):
    return torch.from_numpy(np.stack(rows))


print(next(iter(DataLoader(rows, batch_size=3, collate_fn=collate))).shape)
# => torch.Size([3, 2])

# %%
# Keep the length of each row, to take the rows apart later.

lengths = torch.tensor([len(row) for row in rows])
print([part.tolist() for part in joined.split(lengths.tolist())])
# => [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]

# %%
# If writing to the tensor is out of the question, ignore the warning. For what a write would do, see
# :doc:`/gallery/13_errors/read_only_array`.
