"""
set_format and with_format of Hugging Face datasets
===================================================

A format converts rows as they are read: ``with_format("torch")`` gives tensors and ``"numpy"`` arrays,
copied from Arrow at each access; read many rows at once, and declare arrays of fixed size.
"""

# sphinx_gallery_tags = ["datasets", "dtype", "copy", "performance"]

import sys

import numpy as np
import torch
from datasets import Array2D, Dataset, Features
from torch.utils.data import DataLoader

# %%
# A dataset keeps its columns in Arrow. Without a format a row is made of Python lists and numbers,
# whatever it was made from.

rows = np.arange(6.0).reshape(3, 2)
table = Dataset.from_dict({"x": rows, "label": [0, 1, 0]})
print(table[0])
# => {'x': [0.0, 1.0], 'label': 0}

# %%
# ``with_format`` returns a dataset that converts; ``set_format`` changes the one it is called on.
# Columns that are not named in ``columns`` are left out.

tensors = table.with_format("torch")
print(tensors[0])
# => {'x': tensor([0., 1.]), 'label': tensor(0)}
table.set_format("numpy", columns=["x"])
print(table[0])
# => {'x': array([0., 1.], dtype=float32)}
table.reset_format()

# %%
# Both make ``float32`` of floating values, even of ``float64``. Ask for the dtype that you need.

print(tensors[:]["x"].dtype, table.with_format("numpy")[:]["x"].dtype)
# => torch.float32 float32
print(table.with_format("torch", dtype=torch.float64)[:]["x"].dtype)
# => torch.float64

# %%
# What is read is a copy each time. A write to it reaches neither the dataset nor the next read.

batch = tensors[:]["x"]
batch.zero_()
print(tensors[:]["x"][1])
# => tensor([2., 3.])

# %%
# Without a format a data loader collates the lists, number by number and into another shape: one
# tensor of ``float64`` for each position. With the format it stacks rows.

(wrong,) = DataLoader(table, batch_size=3)
(right,) = DataLoader(tensors, batch_size=3)
print(wrong["x"])
# => [tensor([0., 2., 4.], dtype=torch.float64), tensor([1., 3., 5.], dtype=torch.float64)]
print(right["x"].shape)
# => torch.Size([3, 2])

# %%
# Rows of unequal length come as a list of tensors, which no loader can stack. Pad them in a collate
# function.

ragged = Dataset.from_dict({"x": [[1, 2], [3]]}).with_format("torch")
print(ragged[:]["x"])
# => [tensor([1, 2]), tensor([3])]

# %%
# The cost is in Python. A nested column is converted row by row of each image; declared as an array
# of fixed size it is one block. Counting calls shows it without a clock.

images = np.zeros((8, 64, 64), dtype=np.float32)
nested = Dataset.from_dict({"image": images}).with_format("torch")
features = Features({"image": Array2D((64, 64), "float32")})
fixed = Dataset.from_dict({"image": images}, features=features).with_format("torch")


def count_calls(read):
    calls = []
    read()
    sys.setprofile(lambda frame, event, argument: calls.append(event))
    read()
    sys.setprofile(None)
    return len(calls)


print(count_calls(lambda: nested[0]) > 3 * count_calls(lambda: fixed[0]))
# => True

# %%
# Reading in batches shares the rest of the cost. A loader asks for several rows at once through
# ``__getitems__``, and a loop over ``iter(batch_size=…)`` does the same.

one_by_one = count_calls(lambda: [fixed[index] for index in range(8)])
print(one_by_one > 4 * count_calls(lambda: fixed[0:8]))
# => True
print([len(part["image"]) for part in fixed.iter(batch_size=4)])
# => [4, 4]
