"""
List of NumPy arrays to a tensor: np.array
==========================================

Call ``torch.from_numpy(np.array(arrays))`` for arrays of equal shape and ``pad_sequence`` for rows
of different lengths; ``torch.tensor(arrays)`` is slow and warns.
"""

# sphinx_gallery_tags = ["list", "warning"]

import numpy as np
import torch

# %%
# This list of arrays converts, with a warning: torch reads it element by element, as it does nested
# lists (`issue 13918 <https://github.com/pytorch/pytorch/issues/13918>`__). The warning appears
# once per process; these outputs were captured with ``torch.set_warn_always(True)``.

rows = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
slow = torch.tensor(rows)
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.

# %%
# :func:`numpy.array` copies whole arrays into one array, whose memory :func:`torch.from_numpy`
# shares. Here the result is the same. More on this warning:
# :doc:`/gallery/13_errors/list_of_arrays`.

joined = torch.from_numpy(np.array(rows))
print(torch.equal(slow, joined))
# => True

# %%
# This list of 0-d arrays raises, because torch calls ``len`` on the first. ``np.array`` accepts
# them.

losses = [np.array(0.5), np.array(0.25)]
try:
    torch.tensor(losses)
except TypeError as error:
    print(error)
# => len() of unsized object
print(torch.from_numpy(np.array(losses)))
# => tensor([0.5000, 0.2500], dtype=torch.float64)

# %%
# The NumPy *scalars* that ``mean()`` returns here work.

print(torch.tensor([row.mean() for row in rows]))
# => tensor([1.5000, 3.5000], dtype=torch.float64)

# %%
# A tensor is rectangular, so these rows of different lengths raise. A number after a row raises a
# different error.

try:
    torch.tensor([[1, 2], [3, 4, 5]])
except ValueError as error:
    print(error)
# => expected sequence of length 2 at dim 1 (got 3)
try:
    torch.tensor([[1, 2], 3])
except TypeError as error:
    print(error)
# => not a sequence

# %%
# Pad rows of different lengths. Keep the lengths as well, or the padding will count as data.

ragged = [np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])]
tensors = [torch.from_numpy(row) for row in ragged]
print(torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True))
# => tensor([[1., 2., 0.],
# =>         [3., 4., 5.]], dtype=torch.float64)
print(torch.tensor([len(row) for row in ragged]))
# => tensor([2, 3])

# %%
# An array of lists does not help: its dtype is ``object``, which torch does not have. See
# :doc:`/gallery/13_errors/object_array`.

boxed = np.array([[1, 2], [3, 4, 5]], dtype=object)
try:
    torch.from_numpy(boxed)
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.object_
