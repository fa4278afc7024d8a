"""
ImportError: A module that was compiled using NumPy 1.x cannot be …
===================================================================

The package that the traceback imports, such as OpenCV or pandas, was built for NumPy 1: upgrade it, or
install ``"numpy<2"``.

.. code-block:: bash

   # PACKAGE: the last "import" in the traceback; cv2 is opencv-python, sklearn is scikit-learn
   # torch 2.3 or later works with NumPy 2, on Windows 2.4.1 or later
   python -m pip install --upgrade PACKAGE
   # if it has no release for NumPy 2; NumPy 1 has wheels up to Python 3.12
   python -m pip install "numpy<2"

If the last import is ``torch``, see :doc:`/gallery/13_errors/numpy_not_available`.
"""

# sphinx_gallery_tags = ["installation", "numpy", "compiled", "error"]

import contextlib
import importlib
import io

import numpy as np

# %%
# The error
# ---------
#
# A package that was compiled with NumPy 1 asks NumPy for its table of C functions when it is imported: it looks for
# ``_ARRAY_API`` in the module where NumPy 1 had it. NumPy 2 prints this message and raises it. The package often prints
# then that ``_ARRAY_API`` is not found, and at last ``ImportError: numpy.core.multiarray failed to import``, or
# ``numpy.core.umath`` in its place. The next lines ask in the same way.

printed = io.StringIO()
with contextlib.redirect_stderr(printed):
    try:
        importlib.import_module("numpy.core._multiarray_umath")._ARRAY_API
    except ImportError as error:
        print(str(error).split("\n")[1])
# => A module that was compiled using NumPy 1.x cannot be run in

# %%
# NumPy prints the same text with a traceback. Its last line with ``import``, or the file above that line, names the
# package as a rule.

print("Some module may need to rebuild" in printed.getvalue())
# => True

# %%
# The fix
# -------
#
# Upgrade that package. `NumPy's list <https://github.com/numpy/numpy/issues/26191>`__ has the first release of
# many packages for NumPy 2, such as pandas 2.2.2 and SciPy 1.13. If yours has none, install ``"numpy<2"`` in one
# command with the other packages, so that pip looks for releases that fit each other.
#
# With NumPy 1 installed, ``numpy.core.multiarray failed to import`` says the opposite: the package was built for a newer
# NumPy. Upgrade NumPy, or install an older release of the package.
#
# The reverse can work: `a package built for NumPy 2 <https://numpy.org/doc/stable/dev/depending_on_numpy.html>`__ may
# also run with NumPy 1.
#
# Restart the process or the notebook's kernel. Then print what is imported.

print(np.__version__.split(".")[0])
# => 2

# %%
# Code from Cython may say ``numpy.dtype size changed`` instead: :doc:`/gallery/12_files/dtype_size_changed`.
# A package that checks the version itself says which NumPy it accepts:
# :doc:`/gallery/12_files/accepted_numpy`.
#
# What does not help
# ------------------
#
# Reinstalling the same wheel of the package brings the same file. Upgrading NumPy does not either: a newer
# NumPy 2 gives the same answer. The text is not a warning: a filter for warnings leaves it there.
