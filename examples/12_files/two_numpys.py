"""
TypeError: expected np.ndarray (got numpy.ndarray)
==================================================

Two copies of NumPy are loaded, and torch uses only one: install NumPy once, in a clean
environment, and restart the process.

.. code-block:: bash

   # the copy that is in use
   python -c "import numpy; print(numpy.__file__)"
   # a clean environment
   python -m venv clean
   clean/bin/python -m pip install torch numpy
"""

# sphinx_gallery_tags = ["installation", "from_numpy", "error", "silent"]

import importlib.metadata
import subprocess
import sys

import numpy as np
import torch

# %%
# The message seems to contradict itself: torch expected an array and got an array. Both classes are
# called ``numpy.ndarray``, but they belong to two copies of NumPy. A child process makes a second
# copy in a temporary folder, after torch has used the first, and tries four conversions.

code = """
import os, shutil, sys, tempfile
import numpy
import torch

torch.from_numpy(numpy.ones(1))
first = numpy
with tempfile.TemporaryDirectory() as folder:
    skipped = shutil.ignore_patterns("tests", "*.pyi", "__pycache__")
    shutil.copytree(os.path.dirname(numpy.__file__), folder + "/numpy", ignore=skipped)
    for name in [name for name in sys.modules if name.split(".")[0] == "numpy"]:
        del sys.modules[name]
    sys.path.insert(0, folder)
    import numpy

    print(type(numpy.ones(2)), numpy.ndarray is first.ndarray)
    for function, argument in [
        (torch.from_numpy, numpy.ones(2)),
        (torch.tensor, numpy.ones(2)),
        (torch.asarray, numpy.ones(2)),
        (numpy.asarray, torch.ones(2)),
    ]:
        try:
            print(function(argument))
        except Exception as error:
            print(type(error).__name__, error, sep=": ")
"""
child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
lines = child.stdout.splitlines()
print(child.returncode)
# => 0

# %%
# The two classes have the same name but are different objects. :func:`torch.from_numpy` checks for
# the class that torch loaded, and its message prints the name.

print(lines[0])
# => <class 'numpy.ndarray'> False
print(lines[1])
# => TypeError: expected np.ndarray (got numpy.ndarray)

# %%
# ``torch.tensor`` still works. It imports the array through DLPack, with its dtype.

print(lines[2])
# => tensor([1., 1.], dtype=torch.float64)

# %%
# :func:`torch.asarray` reads the array as a buffer. `Before 2.15
# <https://github.com/pytorch/pytorch/pull/188784>`__ it reads the bytes of this array as
# ``float32`` without a warning: it gives twice as many elements as the ``float64`` array has, with
# wrong values.

print(lines[3])
# => tensor([1., 1.], dtype=torch.float64)

# %%
# Back from a tensor, ``numpy.asarray`` raises, because NumPy gets an array of the other copy.

print(lines[4])
# => ValueError: object __array__ method not producing an array

# %%
# The cause is a second installation (conda and pip, a ``--user`` folder, a folder named ``numpy``
# on the path), or a module that was reloaded in a notebook, as in `issue 146987
# <https://github.com/pytorch/pytorch/issues/146987>`__. With only one copy, these lines print what
# you see here.

print(type(torch.ones(1).numpy()) is np.ndarray)
# => True
print(sys.modules["numpy"] is np)
# => True
distributions = importlib.metadata.distributions()
print(sum(found.metadata["Name"] == "numpy" for found in distributions))
# => 1

# %%
# Installing over the old copy does not remove the second one. Converting with ``tolist`` works, but
# leaves both copies in place.
#
# Two copies of a library that NumPy and torch use can clash as well. ``OMP: Error #15: Initializing
# libiomp5md.dll, but found libiomp5md.dll already initialized`` means two copies of Intel's OpenMP, such as the one of
# conda's NumPy and the one of pip's torch. The remedy is the same: a new environment, with both packages from
# conda, or both from pip.
