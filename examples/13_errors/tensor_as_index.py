"""
TypeError: only integer tensors of a single element … to an index
=================================================================

A slice, ``range`` or the index of a list needs one integer: convert a tensor of one element with
``int``, and loop over several.

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
# A slice, ``range`` and the index of a list need one integer. A tensor with several elements
# raises, and so does a floating-point tensor, even if its value is a whole number.

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
# A floating-point start or end of a slice raises too when you slice an array or a tensor.

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
# For a single position, convert it with ``int``. An integer tensor with one element works without
# conversion.

print(names[: int(length)], names[torch.tensor(1)])
# => ['a', 'b'] b

# %%
# For several positions, index a tensor or an array. For a list, convert the positions with
# ``tolist()`` and loop over them.

print([names[position] for position in chosen.tolist()])
# => ['a', 'c']
print(np.array(names)[chosen], torch.arange(4)[chosen])
# => ['a' 'c'] tensor([0, 2])

# %%
# If the length differs from row to row, no single slice works. Use a mask.

rows = torch.arange(8).reshape(2, 4)
lengths = torch.tensor([1, 3])
print(torch.where(torch.arange(4) < lengths[:, None], rows, 0))
# => tensor([[0, 0, 0, 0],
# =>         [4, 5, 6, 0]])

# %%
# What does not help
# ------------------
#
# ``long()`` converts to integers, but there are still several. ``item()`` needs one element as
# well: :doc:`/gallery/13_errors/one_element_tensors`.

try:
    range(torch.tensor([2.0, 3.0]).long())
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index

# %%
# Rounding does not change the dtype, and ``int`` cuts off the fraction. Round first, then convert
# with ``int``.

measured = torch.tensor(2.9)
try:
    range(measured.round())
except TypeError as error:
    print(error)
# => only integer tensors of a single element can be converted to an index
print(int(measured), int(measured.round()))
# => 2 3
