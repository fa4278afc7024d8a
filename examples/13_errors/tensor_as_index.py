"""
TypeError: only integer tensors of a single element … to an index
=================================================================

A slice, ``range`` or the index of a list wants one integer: convert a tensor of one element with
``int``, and go through several one by one.

.. fix::

   - names[chosen]
   - names[:length]
   + [names[position] for position in chosen.tolist()]
   + names[: int(length)]
"""

# sphinx_gallery_tags = ["scalar", "indexing", "list", "item", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# A slice, ``range`` and the index of a list ask an object for one integer. A tensor of several
# elements has none, and a floating one is refused even if it is whole.

names = ["a", "b", "c", "d"]
chosen = torch.tensor([0, 2])
try:
    names[chosen]
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index
length = torch.tensor(2.0)
try:
    names[:length]
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index

# %%
# The bounds of a slice are asked as well where NumPy or torch is sliced.

for sliced in (np.arange(4), torch.arange(4)):
    try:
        sliced[:length]
    except TypeError as error:
        print(error)
# => only integer tensors of a single element can be converted to an index
# => only integer tensors of a single element can be converted to an index

# %%
# The fix
# -------
#
# For one position, make it a Python integer. An integer tensor of one element needs no help.

print(names[: int(length)], names[torch.tensor(1)])
# => ['a', 'b'] b

# %%
# For several positions, index something that takes many: a tensor, or an array. A list of other
# objects is walked.

print([names[position] for position in chosen.tolist()])
# => ['a', 'c']
print(np.array(names)[chosen], torch.arange(4)[chosen])
# => ['a' 'c'] tensor([0, 2])

# %%
# For bounds that differ from row to row there is no single slice. A mask does it.

rows = torch.arange(8).reshape(2, 4)
lengths = torch.tensor([1, 3])
print(torch.where(torch.arange(4) < lengths[:, None], rows, 0))
# => tensor([[0, 0, 0, 0],
# =>         [4, 5, 6, 0]])

# %%
# What does not help
# ------------------
#
# ``long()`` makes integers and still several of them. ``item()`` needs one element as well:
# :doc:`/gallery/13_errors/one_element_tensors`.

try:
    range(torch.tensor([2.0, 3.0]).long())
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index

# %%
# Rounding leaves the dtype as it is, and ``int`` cuts off towards zero. Round first, then convert.

measured = torch.tensor(2.9)
try:
    range(measured.round())
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index
print(int(measured), int(measured.round()))
# => 2 3
