"""
UserWarning: Creating a tensor from a list of numpy.ndarrays … slow
===================================================================

``torch.tensor`` reads a list of arrays one number at a time: join the arrays with ``np.stack``
first.

.. fix::

   - slow = torch.tensor(rows)
   + tensor = torch.from_numpy(np.stack(rows))

**Safe to ignore** where time does not matter: the values are right.
"""

# sphinx_gallery_tags = ["list", "warning"]

import warnings

import numpy as np
import torch

# %%
# The error
# ---------
#
# A list is read as nested Python sequences: every element of every array becomes a Python object
# (`issue 13918 <https://github.com/pytorch/pytorch/issues/13918>`__). The result is right, only
# slow. By default the warning comes `once per process
# <https://docs.pytorch.org/docs/stable/generated/torch.set_warn_always.html>`__, here for each
# array.

rows = [np.zeros(3), np.ones(3)]
slow = torch.tensor(rows)
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.
# => UserWarning: Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor.

# %%
# The fix
# -------
#
# :func:`numpy.stack` makes one array, which the tensor then shares: one copy, no warning.
# :doc:`/gallery/14_performance/plot_lists_of_arrays` measures the time that this saves.

tensor = torch.from_numpy(np.stack(rows))
print(tensor)
# => tensor([[0., 0., 0.],
# =>         [1., 1., 1.]], dtype=torch.float64)

# %%
# If you need each array as a tensor anyway, :func:`torch.stack` makes the same tensor. It is also
# the fix for :doc:`a list of tensors </gallery/13_errors/list_of_tensors>`.

print(torch.equal(torch.stack([torch.from_numpy(row) for row in rows]), tensor))
# => True

# %%
# All shapes must be equal. Pad or truncate the arrays first.

try:
    np.stack([np.zeros(3), np.ones(2)])
except ValueError as error:
    print(error)
# => all input arrays must have the same shape

# %%
# What does not help
# ------------------
#
# A filter hides the warning; the call takes as long as before.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(torch.equal(torch.tensor(rows), tensor))
# => True

# %%
# Lists instead of arrays do not warn, but they make a Python object for each element as well, and
# the dtype is then torch's default instead of NumPy's.

print(torch.tensor([row.tolist() for row in rows]).dtype, tensor.dtype)
# => torch.float32 torch.float64

# %%
# :func:`torch.cat` is not :func:`torch.stack`: it joins the rows into one.

print(torch.cat([torch.from_numpy(row) for row in rows]).shape)
# => torch.Size([6])
