"""
What default_collate refuses
============================

``default_collate`` raises for ``None``, rows of different length, text arrays and negative strides:
drop or pad items in a ``collate_fn``, and copy flipped arrays in the dataset.
"""

# sphinx_gallery_tags = ["dataloader", "collate", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, default_collate

# %%
# A ``None`` in the batch raises; :doc:`/gallery/13_errors/collate_none` explains where it comes
# from.

try:
    default_collate([None, None])
except TypeError as error:
    print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'NoneType'>

# %%
# To leave such items out, write a collate function that drops them. The batch is then smaller than
# you asked for, and collating still raises if no item is left.


def collate_present(items):
    return default_collate([item for item in items if item is not None])


items = [np.ones(2), None, np.zeros(2)]
for batch in DataLoader(items, batch_size=3, collate_fn=collate_present):
    print(batch)
# => tensor([[1., 1.],
# =>         [0., 0.]], dtype=torch.float64)

# %%
# torch has no tensors of text or objects. The message names the dtype; see
# :doc:`/gallery/13_errors/object_array` for what to do. A plain ``str`` does not raise.

words = np.array(["cat", "dog"])
try:
    default_collate([words, words])
except TypeError as error:
    print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <U3

# %%
# Stacking rows of different length raises. Padding makes the lengths equal, but its values have no
# meaning.

ragged = [np.array([1.0, 2.0]), np.array([3.0])]
try:
    default_collate(ragged)
except RuntimeError as error:
    print(error)
# => stack expects each tensor to be equal size, but got [2] at entry 0 and [1] at entry 1


def collate_padded(rows):
    tensors = [torch.from_numpy(row) for row in rows]
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True, padding_value=-1.0)


print(collate_padded(ragged))
# => tensor([[ 1.,  2.],
# =>         [ 3., -1.]], dtype=torch.float64)

# %%
# A flipped array, common in augmentation, raises because of its negative stride. Copy it in the
# dataset, as :doc:`/gallery/13_errors/negative_strides` explains.

flipped = np.arange(3.0)[::-1]
try:
    default_collate([flipped, flipped])
except ValueError as error:
    print(str(error).split(",")[0])
# => At least one stride in the given numpy array is negative
print(default_collate([flipped.copy(), flipped.copy()]).shape)
# => torch.Size([2, 3])

# %%
# An array first and a tensor after it works, but the other order raises: ``default_collate`` goes
# by the type of the first item.

print(default_collate([np.ones(1), torch.zeros(1)]).shape)
# => torch.Size([2, 1])
try:
    default_collate([torch.zeros(1), np.ones(1)])
except TypeError as error:
    print(error)
# => expected Tensor as element 1 in argument 0, but got numpy.ndarray
