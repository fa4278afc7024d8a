"""
set_format and with_format of Hugging Face datasets
===================================================

A format converts rows as they are read: ``with_format("torch")`` gives tensors, copied from Arrow at
each access, and ``"numpy"`` gives arrays, some of which are read-only views of the dataset.
"""

# sphinx_gallery_tags = ["datasets", "dtype", "copy"]

import numpy as np
import torch
from datasets import Dataset, disable_progress_bars
from torch.utils.data import DataLoader

# %%
# A dataset keeps its columns in Arrow. If you set no format, a row contains Python lists and
# numbers, even if the dataset was made from an array.

rows = np.arange(6.0).reshape(3, 2)
table = Dataset.from_dict({"x": rows, "label": [0, 1, 0]})
print(table[0])
# => {'x': [0.0, 1.0], 'label': 0}

# %%
# ``with_format`` returns a new dataset that converts its rows. ``set_format`` changes the dataset
# itself and returns ``None``. With ``columns``, the format returns the columns that you name.

tensors = table.with_format("torch")
print(tensors[0])
# => {'x': tensor([0., 1.]), 'label': tensor(0)}
print(table.set_format("numpy", columns=["x"]))
# => None
print(table[0])
# => {'x': array([0., 1.], dtype=float32)}
table.reset_format()

# %%
# Index a column with ``[:]`` to read it. Without the index you get a column object, which is not a
# tensor.

print(type(tensors["x"]).__name__, tensors["x"][:].shape, tensors[:]["x"].shape)
# => Column torch.Size([3, 2]) torch.Size([3, 2])

# %%
# Both formats convert arrays of floats to ``float32``, even ``float64``. A single ``float64``
# number keeps its dtype in the ``numpy`` format. Pass the dtype that you need.

print(tensors[:]["x"].dtype, table.with_format("numpy")[:]["x"].dtype)
# => torch.float32 float32
print(table.with_format("torch", dtype=torch.float64)[:]["x"].dtype)
# => torch.float64

# %%
# Each read of a tensor makes a copy. Writing to it changes neither the dataset nor the result of the
# next read. In the ``numpy`` format, rows of unequal length can be read-only views of the dataset.
# Copy such a row before ``from_numpy``, because a write to :doc:`a tensor on read-only memory
# </gallery/13_errors/read_only_array>` would change the dataset.

batch = tensors[:]["x"]
batch.zero_()
print(tensors[:]["x"][1])
# => tensor([2., 3.])

# %%
# If you set no format, a data loader collates the lists number by number. The result has a
# different shape: one ``float64`` tensor per position. With the format it stacks rows.

(wrong,) = DataLoader(table, batch_size=3)
(right,) = DataLoader(tensors, batch_size=3)
print(wrong["x"])
# => [tensor([0., 2., 4.], dtype=torch.float64), tensor([1., 3., 5.], dtype=torch.float64)]
print(right["x"].shape)
# => torch.Size([3, 2])

# %%
# Rows of unequal length become a list of tensors, which a loader does not stack. Pad them in a
# collate function.

ragged = Dataset.from_dict({"x": [[1, 2], [3]]}).with_format("torch")
print(ragged[:]["x"])
# => [tensor([1, 2]), tensor([3])]

# %%
# ``map`` stores the results of its function in Arrow, so tensors become lists again. Set the format
# on the mapped dataset. For the cost of the conversion see :doc:`/gallery/12_files/datasets_speed`.

disable_progress_bars()
mapped = table.map(lambda row: {"double": torch.tensor(row["x"]) * 2})
print(type(mapped[0]["double"]).__name__, mapped.with_format("torch")[2]["double"])
# => list tensor([ 8., 10.])
