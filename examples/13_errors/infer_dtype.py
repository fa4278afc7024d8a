"""
RuntimeError: Could not infer dtype of numpy.float32
====================================================

PyTorch does not recognise NumPy numbers because it does not fit the NumPy that is installed:
install versions that fit each other.

.. code-block:: bash

   # torch 2.3 or later works with NumPy 2
   python -m pip install --upgrade torch
   # an older torch needs NumPy 1, which pip finds for Python 3.12 and older
   python -m pip install "numpy<2"
   # after "compiled against API version 0x10 but this version of numpy is 0xf", NumPy is too old
   python -m pip install --upgrade "numpy>=1.23,<2"

For a class that is not NumPy's, such as ``NoneType`` or ``datetime.date``, convert the value to a
number yourself.
"""

# sphinx_gallery_tags = ["installation", "scalar", "dtype", "error"]

import datetime
import subprocess
import sys

import numpy as np
import torch

# %%
# The error
# ---------
#
# :func:`torch.tensor` infers a dtype from the class of each Python object, and the message names
# the class. It does not find one for ``None`` or this date.

day = datetime.date(2024, 1, 1)
for value in [None, day]:
    try:
        torch.tensor(value)
    except RuntimeError as error:
        print(error)
# => Could not infer dtype of NoneType
# => Could not infer dtype of datetime.date

# %%
# If the class is one of NumPy's numbers, your value is right: torch could not set up NumPy and does
# not recognise its objects. The child process below hides the table of C functions that torch needs
# from NumPy (:doc:`/gallery/13_errors/numpy_not_available` explains this), and makes four attempts.

code = """
import sys
import numpy
core = sys.modules.get("numpy._core._multiarray_umath")
core = core or sys.modules["numpy.core._multiarray_umath"]
del core._ARRAY_API
import torch

for attempt in (
    lambda: torch.tensor(numpy.float32(1.5)),
    lambda: torch.tensor(numpy.int64(3)),
    lambda: torch.tensor(float(numpy.float32(1.5))),
    lambda: torch.ones(2) * numpy.float32(1.5),
):
    try:
        print(attempt())
    except RuntimeError as error:
        print(error)
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
lines = child.stdout.splitlines()
print(lines[0])
# => Could not infer dtype of numpy.float32
print(lines[1])
# => Could not infer dtype of numpy.int64

# %%
# The fix
# -------
#
# For a NumPy number, repair the installation; for versions that fit see
# :doc:`/gallery/13_errors/numpy_not_available`. If an earlier line says ``module compiled against API
# version 0x10 but this version of numpy is 0xf``, the second number is smaller: upgrade NumPy. The same
# call then works and keeps the dtype.

print(torch.tensor(np.float32(1.5)).dtype, torch.tensor(np.int64(3)).dtype)
# => torch.float32 torch.int64

# %%
# Convert other values yourself: a date to a number of days, a missing value to what your model
# expects.

print(torch.tensor(day.toordinal()))
# => tensor(738886)

# %%
# What does not help
# ------------------
#
# For ``None`` a dtype changes the message and no more. ``np.array([None])`` does not help either,
# because you get :doc:`an array of objects </gallery/13_errors/object_array>`.

try:
    torch.tensor([None], dtype=torch.float32)
except TypeError as error:
    print(error)
# => must be real number, not NoneType

# %%
# With a broken installation, ``float()`` converts a single number, as in the child's third attempt.
# But multiplying a tensor by the ``float32`` number raises, as in the fourth.

print(lines[2])
# => tensor(1.5000)
print(lines[3])
# => Numpy is not available
