"""
Which NumPy a package accepts: Numba needs NumPy 2.2 or less
============================================================

``Numba needs NumPy 2.2 or less. Got NumPy 2.3`` and similar messages name a NumPy that is too new: upgrade
the package that says so, or install the NumPy that it names.

.. code-block:: bash

   python -m pip install --upgrade numba
   # or the NumPy of the message: 2.2 is for Python 3.10 to 3.13
   python -m pip install "numpy<2.3"
   # tells which installed packages do not fit each other
   python -m pip check
"""

# sphinx_gallery_tags = ["installation", "numpy", "matplotlib"]

from importlib import metadata

# %%
# A package can name the NumPy that it accepts, and pip reads that when it installs the package. Installing
# another package later can bring a NumPy that does not fit: pip then prints ``pip's dependency resolver does not
# currently take into account all the packages that are installed``, and goes on. ``pip check`` names such packages
# again.
#
# In this line of pip, the first word is the package to upgrade: with ``numba 0.60.0 requires numpy<2.1, but you have
# numpy 2.2.0 which is incompatible`` it is Numba.


def name_numpy(package):
    wanted = metadata.requires(package) or []
    numpy_lines = [
        line for line in wanted if line.replace(" ", "").startswith(("numpy<", "numpy>"))
    ]
    return bool(numpy_lines)


# %%
# ``metadata.requires`` returns the list. In it matplotlib names NumPy, and torch does not, so pip does not check
# which NumPy fits torch: torch older than 2.3 needs ``"numpy<2"``.

print(name_numpy("matplotlib"), name_numpy("torch"))
# => True False

# %%
# A release of SciPy warns: ``A NumPy version >=1.22.4 and <2.3.0 is required for this version of SciPy (detected version
# 2.3.5)``. Numba raises ``ImportError`` when a library such as ``librosa``, ``umap`` or ``shap`` imports it.
#
# Ask for all of them in one command, so that pip looks for releases whose requirements fit each other:
#
# .. code-block:: bash
#
#    python -m pip install --upgrade torch numpy numba scipy
#
# Restart the process, or the notebook's kernel, which keeps the NumPy that it has imported.
