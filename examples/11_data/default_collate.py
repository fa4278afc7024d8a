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
# :func:`torch.utils.data.default_collate` turns a list of items into a batch. These arrays become
# one tensor with a new first dimension and the same dtype.

rows = [np.array([1, 2], dtype=np.float32), np.array([3, 4], dtype=np.float32)]
batch = default_collate(rows)
print(batch.shape, batch.dtype)
# => torch.Size([2, 2]) torch.float32

# %%
# The batch is a stacked copy: changing it does not change the rows, even if a row shares memory
# with the dataset.

batch[0, 0] = 70
print(rows[0])
# => [1. 2.]

# %%
# Numbers of the same value can give different dtypes. ``np.float32`` scalars keep their dtype.
# Python floats become ``float64``, although :func:`torch.tensor` gives them the default dtype.

print(default_collate([np.float32(0.5), np.float32(1.5)]).dtype)
# => torch.float32
print(default_collate([0.5, 1.5]).dtype)
# => torch.float64
print(torch.tensor([0.5, 1.5]).dtype)
# => torch.float32

# %%
# This matters for targets: if the prediction is ``float32``, a ``float64`` target can make the loss
# ``float64`` or raise, as :doc:`/gallery/03_dtypes/loss_dtypes` shows. Return a tensor or a NumPy
# scalar of the model's dtype.

prediction = torch.zeros(2)
print((prediction - default_collate([0.5, 1.5])).dtype)
# => torch.float64
print((prediction - default_collate([np.float32(0.5), np.float32(1.5)])).dtype)
# => torch.float32

# %%
# For integers and floats of Python the first item decides. If it is an integer, the numbers go
# through :func:`torch.tensor`, which gives them the default dtype if there is a float among them.
# The same items in another order can therefore give another dtype.

print(default_collate([1, 2.5]).dtype, default_collate([2.5, 1]).dtype)
# => torch.float32 torch.float64

# %%
# Containers are collated element by element. A dictionary stays a dictionary, a plain tuple becomes
# a list, and text stays as it is: see `the documentation
# <https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.default_collate>`__.

items = [{"image": row, "label": 3, "name": "a"} for row in rows]
batch = default_collate(items)
print(batch["image"].shape, batch["label"], batch["name"])
# => torch.Size([2, 2]) tensor([3, 3]) ['a', 'a']
print(type(default_collate([(rows[0], 1), (rows[1], 2)])))
# => <class 'list'>

# %%
# For dictionaries, too, the first item decides: keys that it does not have are silently dropped
# from the batch.

print(list(default_collate([{"image": 1}, {"image": 2, "mask": 3}])))
# => ['image']
