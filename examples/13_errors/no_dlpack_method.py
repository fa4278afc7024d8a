"""
AssertionError: device and copy kwargs not supported when ext_tensor …
======================================================================

``from_dlpack`` needs an array that supports DLPack, and a list, a pandas column or an image does not:
call the function for its type.

.. fix::

   - torch.from_dlpack(value, device="cpu")
   + plain = np.asarray(values)
   + tensor = torch.from_numpy(column.to_numpy(copy=True))
"""

# sphinx_gallery_tags = ["dlpack", "pandas", "error"]

import array

import numpy as np
import pandas
import torch

# %%
# The error
# ---------
#
# A library asks an object for its method ``__dlpack__``, which `arrays of libraries with DLPack
# <https://dmlc.github.io/dlpack/latest/python_spec.html>`__ have. Torch treats an object without it as a
# finished capsule. With ``device`` or ``copy``, the message says so. It is raised for a pandas column, a
# list and a real capsule.

values = [1.0, 2.0]
column = pandas.Series([1.0, 2.0])
for value in (column, values, torch.utils.dlpack.to_dlpack(torch.ones(2))):
    try:
        torch.from_dlpack(value, device="cpu")
    except (AssertionError, TypeError) as error:
        print(error)
# => device and copy kwargs not supported when ext_tensor is already a DLPack capsule.
# => device and copy kwargs not supported when ext_tensor is already a DLPack capsule.
# => device and copy kwargs not supported when ext_tensor is already a DLPack capsule.

# %%
# NumPy names the class that lacks the method, such as ``list``, ``Series`` or ``DataFrame``.

try:
    np.from_dlpack(array.array("f", values))
except AttributeError as error:
    print(error)
# => 'array.array' object has no attribute '__dlpack__'

# %%
# The fix
# -------
#
# A pandas column, a ``DataFrame`` or a Polars ``Series`` gives an array with ``to_numpy()``. If it
# holds numbers, both libraries go on from there. pandas' ``copy=True`` makes it writable, which
# torch expects.

tensor = torch.from_numpy(column.to_numpy(copy=True))
print(tensor.dtype, torch.from_dlpack(column.to_numpy(copy=True), device="cpu"))
# => torch.float64 tensor([1., 2.], dtype=torch.float64)

# %%
# For a list or a number, call :func:`numpy.asarray` or :func:`torch.tensor`.

plain = np.asarray(values)
print(plain, torch.tensor(values))
# => [1. 2.] tensor([1., 2.])

# %%
# Code for arrays of several libraries can ask for the method first, and convert by NumPy without it.


def to_tensor(data):
    if hasattr(data, "__dlpack__"):
        return torch.from_dlpack(data)
    return torch.as_tensor(np.array(data))


print(to_tensor(plain), to_tensor(column), to_tensor(values))
# => tensor([1., 2.], dtype=torch.float64) tensor([1., 2.], dtype=torch.float64) tensor([1., 2.], dtype=torch.float64)

# %%
# For a capsule, leave out ``device`` and ``copy``, and move the result.

capsule = torch.utils.dlpack.to_dlpack(torch.ones(2))
print(torch.from_dlpack(capsule).to("cpu"))
# => tensor([1., 1.])

# %%
# What does not help
# ------------------
#
# Without ``device`` the column still raises, with a message about used capsules:
# :doc:`/gallery/13_errors/used_capsule`.

try:
    torch.from_dlpack(column)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => from_dlpack received an invalid capsule
