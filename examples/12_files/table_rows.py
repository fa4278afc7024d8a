"""
One row of a DataFrame or polars frame: (1, n) instead of (n,)
==============================================================

A slice of one row is still a table, so its tensor has the shape (1, n), and a batch (batch, 1, n). Take the row
with ``squeeze(0)``, or convert the whole table once and index the tensor.
"""

# sphinx_gallery_tags = ["dataframe", "row", "shape", "dataloader", "squeeze", "pandas"]

import numpy as np
import pandas as pd
import torch
from torch.utils.data import default_collate

# %%
# ``frame.iloc[[0]]`` of pandas is a table of one row. So is ``frame[0]`` of polars, whose ``to_torch()`` and
# ``to_numpy()`` give (1, n) as well.

frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0], "c": [5.0, 6.0]}, dtype=np.float32)
row = torch.from_numpy(frame.iloc[[0]].to_numpy().copy())
print(row.shape, row.squeeze(0).shape)
# => torch.Size([1, 3]) torch.Size([3])

# %%
# The loader puts the axis of the batch in front, so the extra axis of length 1 stays.

print(default_collate([row, row]).shape, default_collate([row[0], row[0]]).shape)
# => torch.Size([2, 1, 3]) torch.Size([2, 3])

# %%
# ``frame.iloc[0]`` is a Series, with one axis. In polars, ``torch.tensor(frame.row(0))`` gives one axis too,
# and ``float32`` for Python floats.

print(torch.from_numpy(frame.iloc[0].to_numpy().copy()).shape)
# => torch.Size([3])

# %%
# With text or ``bool`` among the numbers, such a row has the dtype ``object``, which ``from_numpy`` refuses.
# Choose the columns with numbers, and cast. Floats and integers alone give a float row.

mixed = pd.DataFrame({"size": [1.5], "name": ["x"], "label": [2]})
numbers = mixed[["size", "label"]].iloc[0]
print(mixed.iloc[0].dtype, numbers.to_numpy(dtype=np.float32))
# => object [1.5 2. ]

# %%
# Convert the table once, and index the tensor in ``__getitem__``: each row has the right shape, and pandas is
# not asked for each item.

table = torch.from_numpy(frame.to_numpy(dtype=np.float32, copy=True))
print(table[0].shape, table[torch.tensor([1, 0])].shape)
# => torch.Size([3]) torch.Size([2, 3])
