"""
default_collate: which dtype a batch gets
=========================================

Return arrays, tensors or NumPy scalars of the model's dtype: ``default_collate`` keeps those
dtypes, but makes ``float64`` of Python floats.
"""

# sphinx_gallery_tags = ["dataloader", "collate", "dtype"]

import numpy as np
import torch
from torch.utils.data import default_collate

# %%
# :func:`torch.utils.data.default_collate` turns a list of items into a batch. Arrays become tensors
# with a new first dimension, and keep their dtype.

rows = [np.array([1, 2], dtype=np.float32), np.array([3, 4], dtype=np.float32)]
batch = default_collate(rows)
print(batch.shape, batch.dtype)
# => torch.Size([2, 2]) torch.float32

# %%
# The batch is stacked, so it is a copy: changing it leaves the rows alone, whatever a single item
# shares with the dataset.

batch[0, 0] = 70
print(rows[0])
# => [1. 2.]

# %%
# Two spellings of one number end up in two dtypes. NumPy scalars keep theirs. Python floats become
# float64, although :func:`torch.tensor` gives them the default dtype.

print(default_collate([np.float32(0.5), np.float32(1.5)]).dtype)
# => torch.float32
print(default_collate([0.5, 1.5]).dtype)
# => torch.float64
print(torch.tensor([0.5, 1.5]).dtype)
# => torch.float32

# %%
# That matters for targets: with a float32 prediction, a float64 target makes a loss float64 or
# fails, as :doc:`/gallery/03_dtypes/loss_dtypes` shows. Return a NumPy scalar or a tensor with the
# dtype of the model.

prediction = torch.zeros(2)
print((prediction - default_collate([0.5, 1.5])).dtype)
# => torch.float64
print((prediction - default_collate([np.float32(0.5), np.float32(1.5)])).dtype)
# => torch.float32

# %%
# Only the first item is looked at. With an integer in front the numbers go through
# :func:`torch.tensor` and get its default dtype, so the same items in another order give another
# dtype.

print(default_collate([1, 2.5]).dtype, default_collate([2.5, 1]).dtype)
# => torch.float32 torch.float64

# %%
# Containers are walked through. A dictionary stays a dictionary, a tuple becomes a list, and text
# is left as it is, which is `the documented behaviour
# <https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.default_collate>`__.

items = [{"image": row, "label": 3, "name": "a"} for row in rows]
batch = default_collate(items)
print(batch["image"].shape, batch["label"], batch["name"])
# => torch.Size([2, 2]) tensor([3, 3]) ['a', 'a']
print(type(default_collate([(rows[0], 1), (rows[1], 2)])))
# => <class 'list'>

# %%
# Here too the first item decides: a key that it lacks is dropped from the batch without a word.

print(list(default_collate([{"image": 1}, {"image": 2, "mask": 3}])))
# => ['image']
