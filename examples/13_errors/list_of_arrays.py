"""
UserWarning: Creating a tensor from a list of numpy.ndarrays … slow
===================================================================

``torch.tensor`` reads a list of arrays one number at a time: join the arrays with ``np.array``
first.

.. fix::

   - slow = torch.tensor(rows)
   + tensor = torch.from_numpy(np.array(rows))

**Safe to ignore** if time does not matter: for ``float64`` arrays, as here, the values are right.
"""

# sphinx_gallery_tags = ["list", "warning"]

import warnings

import numpy as np
import torch

# %%
# The error
# ---------
#
# Torch reads a list as nested Python sequences: the elements of the arrays become Python objects
# (`issue 13918 <https://github.com/pytorch/pytorch/issues/13918>`__). Here the result is right, but
# slow. By default the warning appears `once per process
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
# :func:`numpy.array` makes one array, whose memory the tensor shares: one copy, without a warning.
# For the time that this saves see :doc:`/gallery/14_performance/plot_lists_of_arrays`.

tensor = torch.from_numpy(np.array(rows))
print(tensor)
# => tensor([[0., 0., 0.],
# =>         [1., 1., 1.]], dtype=torch.float64)

# %%
# If you need each array as a tensor anyway, :func:`torch.stack` gives the same result. It is also
# the fix for :doc:`a list of tensors </gallery/13_errors/list_of_tensors>`.

print(torch.equal(torch.stack([torch.from_numpy(row) for row in rows]), tensor))
# => True

# %%
# Unequal shapes raise: pad or truncate the arrays first. :func:`numpy.stack` gives the same array
# as ``np.array`` here and has the clearer message, but takes longer for many small arrays.

print(np.array_equal(np.stack(rows), tensor))
# => True
try:
    np.stack([np.zeros(3), np.ones(2)])
except ValueError as error:
    print(error)
# => all input arrays must have the same shape

# %%
# What does not help
# ------------------
#
# A filter hides the warning, but does not change what the call does.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    print(torch.equal(torch.tensor(rows), tensor))
# => True

# %%
# With lists instead of arrays torch does not warn, but makes a Python object of each element as
# well. The dtype is then torch's default instead of NumPy's.

print(torch.tensor([row.tolist() for row in rows]).dtype, tensor.dtype)
# => torch.float32 torch.float64

# %%
# :func:`torch.cat` does not do the same as :func:`torch.stack`: it joins the rows end to end.

print(torch.cat([torch.from_numpy(row) for row in rows]).shape)
# => torch.Size([6])
