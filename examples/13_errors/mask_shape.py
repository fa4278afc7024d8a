"""
IndexError: The shape of the mask [2] at index 0 does not match
===============================================================

A mask needs one entry for each element along its axis; an array of ``uint8`` positions counts as a
mask in torch, so cast it to ``int64``.

.. fix::

   - tensor[np.array([True, False])]
   - tensor[positions]
   + tensor[tensor > 15]
   + tensor[positions.astype(np.int64)]
"""

# sphinx_gallery_tags = ["indexing", "mask", "dtype", "error", "warning"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# A mask needs one entry for each element. The message gives both shapes; "at index" is the axis at
# which they differ.

tensor = torch.tensor([10.0, 20.0, 30.0])
try:
    tensor[np.array([True, False])]
except IndexError as error:
    print(error)
# => The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3] at index 0

# %%
# If your index holds whole numbers, their dtype is ``uint8``. NumPy treats an array of them as
# positions, torch as a mask, `as it did before it had booleans
# <https://github.com/pytorch/pytorch/issues/24901>`__.

positions = np.array([2, 0], dtype=np.uint8)
print(tensor.numpy()[positions])
# => [30. 10.]
try:
    tensor[positions]
except IndexError as error:
    print(error)
# => The shape of the mask [2] at index 0 does not match the shape of the indexed tensor [3] at index 0
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.

# %%
# The fix
# -------
#
# Cast positions to ``int64``. For other kinds of index see
# :doc:`/gallery/06_mixed_expressions/index_a_tensor`.

print(tensor[positions.astype(np.int64)])
# => tensor([30., 10.])

# %%
# Compute the mask from the tensor that you index, so that its shape and device are right.

print(tensor[tensor > 15])
# => tensor([20., 30.])

# %%
# For a mask along another axis put a slice before it, or ``...`` if the number of axes varies.

image = torch.arange(6.0).reshape(2, 3)
columns = torch.tensor([True, False, True])
print(image[:, columns])
# => tensor([[0., 2.],
# =>         [3., 5.]])

# %%
# What does not help
# ------------------
#
# ``uint8`` positions of the right length do not raise, but the result is wrong: 0 counts as
# ``False`` and the other positions as ``True``. ``bool()`` hides the warning, not the mistake.

order = np.array([2, 0, 1], dtype=np.uint8)
print(tensor[order], tensor.numpy()[order])
# => tensor([10., 30.]) [30. 10. 20.]
# => UserWarning: indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.
print(tensor[torch.from_numpy(order).bool()])
# => tensor([10., 30.])

# %%
# Cutting the tensor or padding the mask ends the error, but gives a wrong result: each entry here
# selects a different element from the one it was computed from.

short = np.array([20.0, 30.0]) > 25
print(tensor[:2][torch.from_numpy(short)])
# => tensor([20.])
print(tensor[np.append(short, False)])
# => tensor([20.])

# %%
# Multiplying by the mask does not select elements: here it sets the others to zero.

print(image * columns)
# => tensor([[0., 0., 2.],
# =>         [3., 0., 5.]])
