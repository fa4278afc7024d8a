"""
TypeError: Object dtype dtype('O') has no native HDF5 equivalent
================================================================

The array holds Python objects, such as rows of different lengths, or ``None`` beside text: give HDF5 numbers of
one dtype, or h5py's own dtype for text and for ragged rows.

.. fix::

   - file["rows"] = np.array([[1.0], [2.0, 3.0]], dtype=object)
   + rows = file.create_dataset("rows", (2,), h5py.vlen_dtype(np.float32))
   + file["names"] = names.astype(h5py.string_dtype())
"""

# sphinx_gallery_tags = ["h5py", "files", "object", "text", "error"]

import io

import h5py
import numpy as np
import torch

# %%
# The error
# ---------
#
# ``dtype=object`` often comes from lists of different lengths, from ``None`` and from columns of text.

file = h5py.File(io.BytesIO(), "w")
ragged = np.array([[1.0], [2.0, 3.0]], dtype=object)
try:
    file["rows"] = np.array([[1.0], [2.0, 3.0]], dtype=object)
except TypeError as error:
    print(error)
# => Object dtype dtype('O') has no native HDF5 equivalent
try:
    file.attrs["limit"] = None
except TypeError as error:
    print(error)
# => Object dtype dtype('O') has no native HDF5 equivalent

# %%
# An array of ``str`` with NumPy's dtype ``<U3``, and dates, have another message.

names = np.array(["cat", "dog"])
try:
    file["names"] = names
except TypeError as error:
    print(error)
# => No conversion path for dtype: dtype('<U3')
try:
    file["days"] = np.array(["2024-01-01"], dtype="datetime64[D]")
except TypeError as error:
    print(error)
# => No conversion path for dtype: dtype('<M8[D]')

# %%
# The fix
# -------
#
# Rows of different lengths need a dtype of variable length. Or pad them, and store the lengths beside them.

rows = file.create_dataset("rows", (2,), h5py.vlen_dtype(np.float32))
rows[:] = [np.array(row, dtype=np.float32) for row in ragged]
print(torch.from_numpy(rows[1]))
# => tensor([2., 3.])

# %%
# Cast this text to h5py's dtype for strings. ``asstr`` reads it as ``str``.

file["names"] = names.astype(h5py.string_dtype())
print(file["names"].asstr()[:].tolist())
# => ['cat', 'dog']

# %%
# Cast objects that are numbers. Dates can become ``int64``, and ``None`` in an attribute an
# ``h5py.Empty``.

file["numbers"] = np.array([1, 2.5], dtype=object).astype(np.float32)
file["days"] = np.array(["2024-01-01"], dtype="datetime64[D]").astype(np.int64)
file.attrs["limit"] = h5py.Empty("f")
print(file["numbers"].dtype, file["days"][:], file.attrs["limit"])
# => float32 [19723] Empty(dtype=dtype('<f4'))

# %%
# Other errors of h5py
# --------------------
#
# A name that the file does not have is a ``KeyError``. ``keys()`` lists those at the top; the name may need
# a group in front.

try:
    file["images"]
except KeyError as error:
    print(error)
# => "Unable to synchronously open object (object 'images' doesn't exist)"
print(list(file.keys()))
# => ['days', 'names', 'numbers', 'rows']

# %%
# ``value`` was removed in h5py 3: write ``[:]`` for the array, or ``[()]`` for a number.

try:
    file["numbers"].value
except AttributeError as error:
    print(error)
# => 'Dataset' object has no attribute 'value'
print(file["numbers"][:])
# => [1.  2.5]

# %%
# A dataset's name that is taken raises, too. Write into the dataset, or delete it first.

try:
    file["numbers"] = np.zeros(2)
except (OSError, ValueError) as error:
    print(error)
# => Unable to create link (name already exists)
file["numbers"][:] = 0
del file["numbers"]

# %%
# A file in another format has no signature of HDF5, such as a page of a web server or a pointer of Git LFS.

file.close()
try:
    h5py.File(io.BytesIO(b"version https://git-lfs.github.com/spec/v1"))
except OSError as error:
    print(error)
# => Unable to synchronously open file (file signature not found)

# %%
# What does not help
# ------------------
#
# ``np.array(ragged.tolist())`` raises, since the rows differ. ``str`` of the array stores its text.

try:
    np.array(ragged.tolist())
except ValueError as error:
    print(str(error).split(".")[0])
# => setting an array element with a sequence
