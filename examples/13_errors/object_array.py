"""
TypeError: can't convert np.ndarray of type numpy.object…
=========================================================

The array holds Python objects instead of numbers, often because of a ``None`` or rows of different
lengths: remove or pad these, then cast.

.. fix::

   - torch.from_numpy(column)
   + present = np.not_equal(column, None)
   + tensor = torch.from_numpy(column[present].astype(np.float32))
"""

# sphinx_gallery_tags = ["dtype", "from_numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Because of the ``None``, NumPy stores references to Python objects here instead of numbers. A
# pandas column of numbers and texts holds them too, and so does ``frame.values`` of numbers and
# booleans, which ``get_dummies`` gives since pandas 2.0: :doc:`/gallery/12_files/pandas_columns`.
# If ``array.shape`` is ``()``, NumPy has wrapped one whole object, perhaps of another library, such
# as a sparse matrix or a view of memory on a GPU. Let that library convert it, on the CPU. torch
# 2.0.0 says the same of a NumPy array of one number without axes, `corrected in 2.0.1
# <https://github.com/pytorch/pytorch/issues/97021>`__. Torch `accepts numbers and booleans
# <https://docs.pytorch.org/docs/stable/generated/torch.from_numpy.html>`__, in the dtypes that the
# message lists.

column = np.array([1.5, None, 2.5])
print(column.dtype)
# => object
try:
    torch.from_numpy(column)
except TypeError as error:
    print(error)
# => can't convert np.ndarray of type numpy.object_. The only supported types are: float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, uint8, and bool.

# %%
# The fix
# -------
#
# Remove each element that is not a number, or replace it with a number. Then cast. Here the missing
# element is removed. If each element is a list or an array of one length, join them: ``np.stack(column)``.

present = np.not_equal(column, None)
tensor = torch.from_numpy(column[present].astype(np.float32))
print(tensor)
# => tensor([1.5000, 2.5000])

# %%
# Another common cause is rows of different lengths. Pad them with a value that is not in your
# data.

rows = np.array([[1.0, 2.0], [3.0]], dtype=object)
padded = torch.nn.utils.rnn.pad_sequence(
    [torch.tensor(row) for row in rows], batch_first=True, padding_value=-1.0
)
print(padded)
# => tensor([[ 1.,  2.],
# =>         [ 3., -1.]])

# %%
# An array of ``numpy.str_`` raises the same error. Replace each text with a number and keep the list
# of texts.

names, codes = np.unique(np.array(["cat", "dog", "cat"]), return_inverse=True)
print(names, torch.from_numpy(codes))
# => ['cat' 'dog'] tensor([0, 1, 0])

# %%
# What does not help
# ------------------
#
# ``astype(np.float32)`` alone works, but ``None`` becomes NaN, and the sum is NaN too.

print(torch.from_numpy(column.astype(np.float32)).sum())
# => tensor(nan)

# %%
# A cast can also change values without an error: it drops fractions, reads digits in a text as a
# number, and turns the text ``"False"`` into ``True``.

print(np.array([1.9, "2", True], dtype=object).astype(np.int64))
# => [1 2 1]
print(np.array(["False", ""], dtype=object).astype(bool))
# => [ True False]

# %%
# A list instead of the array raises as well, because :func:`torch.tensor` does not find a dtype for
# ``None`` (:doc:`/gallery/13_errors/infer_dtype`).

try:
    torch.tensor(column.tolist())
except RuntimeError as error:
    print(error)
# => Could not infer dtype of NoneType
