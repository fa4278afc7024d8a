"""
TypeError: default_collate: batch must contain … <class 'NoneType'>
===================================================================

A sample, or one of its fields, is ``None``, often because ``__getitem__`` has no ``return``:
return the sample.

.. fix::

   - def __getitem__(self, index):
   -     sample = np.array([index, index + 1.0])
   + def __getitem__(self, index):
   +     return {"values": np.array([index, index + 1.0])}
"""

# sphinx_gallery_tags = ["dataloader", "collate", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, default_collate

# %%
# The error
# ---------
#
# A loader makes `a batch of tensors from arrays, numbers and containers of them
# <https://docs.pytorch.org/docs/stable/data.html#torch.utils.data.default_collate>`__; ``None`` is
# not among these. You get ``None`` if ``__getitem__`` has no ``return``, or returns ``None`` for a
# file that it could not read.


class Forgetful(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        sample = np.array([index, index + 1.0])


try:
    next(iter(DataLoader(Forgetful(), batch_size=2)))
except TypeError as error:
    print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'NoneType'>

# %%
# The ``None`` can also be a field inside a sample, here the label.

try:
    default_collate([(np.ones(2), None), (np.zeros(2), None)])
except TypeError as error:
    print(error)
# => default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class 'NoneType'>

# %%
# The fix
# -------
#
# Return the sample. Leave out a field that is ``None`` in every sample.


class Complete(Forgetful):
    def __getitem__(self, index):
        return {"values": np.array([index, index + 1.0])}


print(next(iter(DataLoader(Complete(), batch_size=2))))
# => {'values': tensor([[0., 1.],
# =>         [1., 2.]], dtype=torch.float64)}

# %%
# If only some samples have the value, add a second field that says which. Remove broken files from
# the list of indices before training; to drop them from each batch see
# :doc:`/gallery/11_data/collate_refusals`.

items = [{"label": 2, "known": True}, {"label": 0, "known": False}]
batch = default_collate(items)
print(batch["label"][batch["known"]])
# => tensor([2])

# %%
# What does not help
# ------------------
#
# Reordering samples of numbers does not help. With a tensor first, as here, the message looks like that for
# :doc:`an array among tensors </gallery/13_errors/array_argument>`.

try:
    default_collate([torch.ones(2), None])
except TypeError as error:
    print(error)
# => expected Tensor as element 1 in argument 0, but got NoneType

# %%
# A collate function that drops the ``None`` raises if a batch then has no sample.

try:
    default_collate([item for item in [None, None] if item is not None])
except IndexError as error:
    print(error)
# => list index out of range

# %%
# A label that is not known
# -------------------------
#
# If a label is unknown, do not write 0: that is a valid label, and the loss counts it. Write
# ``-100``, which :class:`torch.nn.CrossEntropyLoss` ignores by default.

logits = torch.tensor([[0.0, 2.0], [0.0, 2.0]])
for missing in (0, -100):
    labels = default_collate([1, missing])
    print(torch.nn.functional.cross_entropy(logits, labels))
# => tensor(1.1269)
# => tensor(0.1269)
