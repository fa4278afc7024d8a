"""
ValueError: expected sequence of length 3 at dim 1 (got 2)
==========================================================

The inner lists have different lengths, and ``torch.tensor`` needs equal ones: pad the short ones with
``pad_sequence``, or keep a list of tensors.

.. fix::

   - torch.tensor(rows)
   + pad_sequence([torch.tensor(row) for row in rows], batch_first=True)
"""

# sphinx_gallery_tags = ["list", "shape", "creation", "error"]

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

# %%
# The error
# ---------
#
# The first row has three numbers, so torch expects three in each row. ``dim 1`` is the axis within a
# row, and ``got 2`` is the length of the first row that differs. An empty first row does not raise:
# ``torch.tensor([[], [1]])`` silently drops the 1.

rows = [[1, 2, 3], [4, 5]]
try:
    torch.tensor(rows)
except ValueError as error:
    print(error)
# => expected sequence of length 3 at dim 1 (got 2)

# %%
# NumPy refuses the same list with other words.

try:
    np.array(rows)
except ValueError as error:
    print(error)
# => setting an array element with a sequence. The requested array has an inhomogeneous shape after 1 dimensions. The detected shape was (2,) + inhomogeneous part.

# %%
# If you expected equal lengths, look for the rows that differ.

print([(index, len(row)) for index, row in enumerate(rows)])
# => [(0, 3), (1, 2)]

# %%
# The fix
# -------
#
# :func:`torch.nn.utils.rnn.pad_sequence` fills the short rows. Keep the lengths, because the filled
# places look like data.

print(pad_sequence([torch.tensor(row) for row in rows], batch_first=True))
# => tensor([[1, 2, 3],
# =>         [4, 5, 0]])
lengths = torch.tensor([len(row) for row in rows])
print(torch.arange(3) < lengths[:, None])
# => tensor([[ True,  True,  True],
# =>         [ True,  True, False]])

# %%
# If each row goes through the model on its own, a list of tensors is enough.

tensors = [torch.tensor(row) for row in rows]
print([tensor.shape for tensor in tensors])
# => [torch.Size([3]), torch.Size([2])]

# %%
# For arrays of different lengths, convert each with :func:`torch.from_numpy`, then pad.

arrays = [np.array(row, dtype=np.float32) for row in rows]
print(pad_sequence([torch.from_numpy(array) for array in arrays], batch_first=True))
# => tensor([[1., 2., 3.],
# =>         [4., 5., 0.]])

# %%
# What does not help
# ------------------
#
# With ``dtype=object`` NumPy makes an array of lists, which ``from_numpy`` does not take:
# :doc:`/gallery/13_errors/object_array`.

try:
    torch.from_numpy(np.array(rows, dtype=object))
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.object_
