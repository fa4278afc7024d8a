"""
TypeError: expected np.ndarray (got list)
=========================================

``torch.from_numpy`` accepts arrays; ``torch.as_tensor`` also accepts a list, a tensor or a NumPy
scalar such as ``np.float64``, and a DataFrame has ``to_numpy()``.

.. fix::

   - torch.from_numpy(values)
   + tensor = torch.as_tensor(values)
"""

# sphinx_gallery_tags = ["from_numpy", "as_tensor", "scalar", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# :func:`torch.from_numpy` accepts a :class:`numpy.ndarray`. It does not accept a list, a tensor, or
# a NumPy scalar such as the result of a reduction.

values = [1.0, 2.0]
try:
    torch.from_numpy(values)
except TypeError as error:
    print(error)
# => expected np.ndarray (got list)
try:
    torch.from_numpy(torch.tensor(values))
except TypeError as error:
    print(error)
# => expected np.ndarray (got Tensor)
try:
    torch.from_numpy(np.array(values).sum())
except TypeError as error:
    print(error)
# => expected np.ndarray (got numpy.float64)

# %%
# If the message says "got numpy.ndarray", the problem is your installation, not your code. In
# `issue 146987 <https://github.com/pytorch/pytorch/issues/146987>`__ two NumPy versions were
# installed at once (:doc:`/gallery/12_files/two_numpys`), and a clean environment helped.

# %%
# The fix
# -------
#
# :func:`torch.as_tensor` accepts all three, and still shares the memory of an array
# (:doc:`/gallery/01_numpy_to_tensor/as_tensor`). It raises for a pandas DataFrame:
# :doc:`/gallery/12_files/pandas_values`.

tensor = torch.as_tensor(values)
print(tensor, torch.as_tensor(tensor) is tensor)
# => tensor([1., 2.]) True
print(torch.as_tensor(np.array(values).sum()))
# => tensor(3., dtype=torch.float64)

# %%
# Python floats get torch's default dtype, and NumPy values keep theirs. Pass ``dtype`` if your
# input may be either.

print(torch.as_tensor(values).dtype, torch.as_tensor(np.array(values)).dtype)
# => torch.float32 torch.float64
print(torch.as_tensor(values, dtype=torch.float64).dtype)
# => torch.float64

# %%
# What does not help
# ------------------
#
# :class:`torch.Tensor` treats this NumPy integer as a size, and returns that many uninitialised
# elements.

count = np.array([1, 2]).sum()
print(torch.Tensor(count).shape)
# => torch.Size([3])

# %%
# ``np.array`` around a tensor copies the values, and NumPy warns since 2.1
# (:doc:`/gallery/13_errors/copy_keyword`).

copied = torch.from_numpy(np.array(tensor))
# => DeprecationWarning: __array__ implementation doesn't accept a copy keyword, so passing copy=False failed. __array__ must implement 'dtype' and 'copy' keyword arguments. To learn more, see the migration guide https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword
print(copied.data_ptr() == tensor.data_ptr())
# => False

# %%
# Passing the argument by name raises.

try:
    torch.from_numpy(ndarray=np.array(values))
except TypeError as error:
    print(error)
# => torch._VariableFunctionsClass.from_numpy() takes no keyword arguments
