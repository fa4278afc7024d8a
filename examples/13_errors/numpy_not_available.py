"""
RuntimeError: Numpy is not available
====================================

PyTorch does not fit the NumPy that is installed, most often because torch is older than 2.3 and
NumPy is 2.0 or newer: replace one of the two.

.. code-block:: bash

   # torch 2.3 or later works with NumPy 2, on Windows 2.4.1 or later
   python -m pip install --upgrade torch
   # an older torch needs NumPy 1; on an Intel Mac, 2.2.2 is the last torch
   # NumPy 1 has no wheel for Python 3.13 or newer: pip would build it from source
   python -m pip install "numpy<2"
   # after "compiled against API version 0x10 but this version of numpy is 0xf", NumPy is too old
   python -m pip install --upgrade "numpy>=1.23,<2"
"""

# sphinx_gallery_tags = ["installation", "numpy", "from_numpy", "error", "warning"]

import contextlib
import io
import subprocess
import sys

import numpy as np
import torch

# %%
# The error
# ---------
#
# PyTorch reads NumPy's table of C functions, ``_ARRAY_API``, once. A torch built for NumPy 1 does
# not get the table from NumPy 2 (`issue 135013
# <https://github.com/pytorch/pytorch/issues/135013>`__); if NumPy is missing, there is no table.
# The child process below removes the table, which has the same effect. It makes four attempts, the
# last one after restoring the table.

code = """
import sys
import numpy
core = sys.modules.get("numpy._core._multiarray_umath")
core = core or sys.modules["numpy.core._multiarray_umath"]
table = core._ARRAY_API
del core._ARRAY_API
import torch

def attempt(function, *arguments):
    try:
        print(function(*arguments))
    except RuntimeError as error:
        print(error)

attempt(torch.ones(2).numpy)
attempt(torch.from_numpy, numpy.ones(2))
attempt(torch.tensor, numpy.ones(2))
core._ARRAY_API = table
attempt(torch.from_numpy, numpy.ones(2))
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
lines = child.stdout.splitlines()
print(lines[0])
# => Numpy is not available
print(lines[1])
# => Numpy is not available

# %%
# Torch prints the cause to standard error, once, often as early as the import of torch, where it is
# easy to miss. If the versions do not fit, the cause is ``_ARRAY_API not found``. Image processors of
# transformers raise another error instead, ``Unable to create tensor, you should probably activate
# padding``: this one stands further up in the traceback.

print("UserWarning: Failed to initialize NumPy" in child.stderr, "_ARRAY_API" in child.stderr)
# => True True

# %%
# NumPy 2 prints an explanation, which warns of a crash, if a module built for NumPy 1 reads the table
# under its old name. The next lines do the same, and capture what NumPy writes to standard error.

with contextlib.redirect_stderr(io.StringIO()) as stderr, contextlib.suppress(ImportError):
    import numpy.core._multiarray_umath as old_name

    old_table = old_name._ARRAY_API
print("A module that was compiled using NumPy 1.x cannot be run in" in stderr.getvalue())
# => True

# %%
# The fix
# -------
#
# Install versions that fit: torch 2.3 or later with NumPy 2 (`2.4.1 on Windows
# <https://github.com/pytorch/pytorch/issues/131668>`__), or an older torch `with numpy<2
# <https://numpy.org/doc/stable/user/troubleshooting-importerror.html>`__. Run these lines in the
# interpreter that raises the error; other environments may have other versions. ``True`` means that
# one of the two has to be replaced. ``False`` does not mean that they fit: it ignores the system,
# and on Windows torch 2.3 and 2.4.0 do not work with NumPy 2 either. It also ignores a NumPy that
# is too old. Then standard error has ``module compiled against API version 0x10 but this version of
# numpy is 0xf``: the second number is smaller, so upgrade NumPy. If an import raises ``numpy.dtype
# size changed``, the package that you import was built for another NumPy: upgrade it, or install
# ``numpy<2``.

numpy_major = int(np.__version__.split(".")[0])
torch_release = tuple(int(part) for part in torch.__version__.split(".")[:2])
print(numpy_major >= 2 and torch_release < (2, 3))
# => False

# %%
# What does not help
# ------------------
#
# Upgrading NumPy does not help an old torch. Repairing NumPy while the program runs does not help
# either: torch reads the table once, as the child's last attempt shows.

print(lines[3])
# => Numpy is not available

# %%
# Works for some calls
# --------------------
#
# :func:`torch.from_dlpack` converts an array. On newer releases so does :func:`torch.tensor`, as in
# the child's third attempt; torch 2.2 rounds ``float64`` to ``float32`` there. It raises for a NumPy
# scalar such as ``np.float32(1)`` (:doc:`/gallery/13_errors/infer_dtype`). Before 2.15
# :func:`torch.asarray` without a ``dtype`` returns wrong numbers
# (:doc:`/gallery/12_files/numpy_missing`).

print(lines[2])
# => tensor([1., 1.], dtype=torch.float64)
