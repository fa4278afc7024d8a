"""
KeyError: Caught KeyError in DataLoader worker process 0.
=========================================================

The loader asks for positions 0 to ``len(dataset) - 1``, but ``series[index]`` and ``.loc`` look for
labels, and a filtered or split table lacks some: use ``.iloc[index]``.

.. fix::

   - return torch.tensor(self.rows.loc[index, "x"])
   + return torch.tensor(self.rows["x"].iloc[index])
   + PositionalRows(train.reset_index(drop=True))
"""

# sphinx_gallery_tags = ["pandas", "dataloader", "workers", "index", "error"]

import pandas as pd
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# The error
# ---------
#
# By default, a filter, ``train_test_split``, ``sample``, ``dropna`` and the groups of ``groupby`` keep the labels of
# their rows, so the label 0 may be missing, or stand elsewhere.

table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
train = table[table["x"] > 1]
print(train.index.tolist())
# => [1, 2, 3]


class LabelledRows(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return torch.tensor(self.rows.loc[index, "x"])


# %%
# Read a sample yourself, and the error names the label that is missing. Above it stands pandas' ``get_loc``, often
# with ``self._engine.get_loc(casted_key)``.

dataset = LabelledRows(train)
try:
    dataset[0]
except KeyError as error:
    print("KeyError:", error)
# => KeyError: 0

# %%
# A series looks for a label, too, when one number stands in square brackets.

try:
    train["x"][0]
except KeyError as error:
    print("KeyError:", error)
# => KeyError: 0

# %%
# With workers, the error of the worker is repeated in the main process.

loader = DataLoader(dataset, num_workers=1, multiprocessing_context="fork")
try:
    next(iter(loader))
except KeyError as error:
    print(str(error).splitlines()[0])
# => Caught KeyError in DataLoader worker process 0.

# %%
# The fix
# -------
#
# ``iloc`` counts positions, as the loader does by default. Take the column first: ``rows.iloc[index]["x"]`` makes a
# series of the whole row first, with one dtype for its values.


class PositionalRows(LabelledRows):
    def __getitem__(self, index):
        return torch.tensor(self.rows["x"].iloc[index])


print([row.item() for row in PositionalRows(train)])
# => [2.0, 3.0, 4.0]

# %%
# Or number the rows anew when you make the dataset. A label is then the position.

print(PositionalRows(train.reset_index(drop=True))[0])
# => tensor(2., dtype=torch.float64)
print(LabelledRows(train.reset_index(drop=True))[0])
# => tensor(2., dtype=torch.float64)

# %%
# If you need no table, convert the column once, in ``__init__``, and index the tensor.

print(torch.from_numpy(train["x"].to_numpy(copy=True)))
# => tensor([2., 3., 4.], dtype=torch.float64)

# %%
# Is the missing key a name, such as ``KeyError: 'label'``? Then the table may have no such column: compare with
# ``table.columns``. Names that were read from a file may contain spaces.

try:
    table["label"]
except KeyError as error:
    print("KeyError:", error, table.columns.tolist())
# => KeyError: 'label' ['x']

# %%
# What does not help
# ------------------
#
# ``num_workers=0`` gives a shorter traceback with the same error. An index of ``at`` is a label as well.

try:
    train.at[0, "x"]
except KeyError as error:
    print("KeyError:", error)
# => KeyError: 0
