"""
Find what does not fit when numpy.dtype size changed
====================================================

*numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88*: a
compiled package was built for NumPy 1 and NumPy 2 is installed. Upgrade the package, or go back to NumPy 1.

.. code-block:: bash

   # PACKAGE is the one that the traceback was importing
   python -m pip install --upgrade PACKAGE
   # if it has no release for NumPy 2; NumPy 1 has wheels up to Python 3.12
   python -m pip install "numpy<2"
"""

# sphinx_gallery_tags = ["installation", "numpy", "error"]

import numpy as np

# %%
# The sizes
# ---------
#
# The numbers in the message are sizes of the C struct behind ``np.dtype``, in bytes. A Cython module
# compares the size that it was compiled with to the size that it finds when it is imported, and raises
# if the struct has become smaller. NumPy 2 made it smaller.

print(np.dtype.__basicsize__)
# => 88

# %%
# Look at the second number of your message: it is the size in the NumPy that Python imports. If it is
# not the number of the NumPy that you expect, another copy is found first. This is the first part of
# its version:

print(np.__version__.split(".")[0])
# => 2

# %%
# What does not help
# ------------------
#
# Reinstalling the same release of the package brings back the wheel that was built for NumPy 1. A
# notebook keeps the NumPy that it has imported: restart its kernel after ``pip install``. If torch does
# not fit NumPy, the message is another one: :doc:`/gallery/13_errors/numpy_not_available`.
