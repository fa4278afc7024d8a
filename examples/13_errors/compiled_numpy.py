"""
TorchRuntimeError: … 'ndarray' object has no attribute '__round__'
==================================================================

A compiled function has arrays of the compiler's own in place of NumPy's: write ``np.round`` instead of
``round``, and call it outside of ``with torch.device(...)``.

.. fix::

   - torch.compile(mean_rounded, backend="eager")(values)
   - with torch.device("cpu"):
   -     torch.compile(scaled, backend="eager")(values)
   + torch.compile(mean_rounded_by_numpy, backend="eager")(values)
   + torch.compile(scaled, backend="eager")(values)
"""

# sphinx_gallery_tags = ["compile", "functions", "numpy", "device", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# The compiler traces NumPy calls with arrays that lack some methods of Python, such as those for
# ``round`` and ``math.trunc``. The message stands in the line with ``got`` or, in older releases, in the
# last line.

values = np.array([1.2, 2.8])


def mean_rounded(x):
    return round(np.mean(x)) * x


try:
    torch.compile(mean_rounded, backend="eager")(values)
except RuntimeError as error:
    print(str(error)[str(error).index("'ndarray'") :].split('"')[0].split("\n")[0])
# => 'ndarray' object has no attribute '__round__'

# %%
# A device context around the call changes how the arrays are made, so that this ``*`` fails up to torch
# 2.14.


def scaled(x):
    return x * 64.0


torch.compiler.reset()
try:
    with torch.device("cpu"):
        torch.compile(scaled, backend="eager")(values)
except RuntimeError as error:
    print(str(error)[str(error).index("'ndarray'") :].split('"')[0].split("\n")[0])

# %%
# The fix
# -------
#
# Use NumPy's function, or make the value a Python number first.


def mean_rounded_by_numpy(x):
    return np.round(np.mean(x)) * x


def mean_rounded_as_float(x):
    return round(float(np.mean(x))) * x


torch.compiler.reset()
print(torch.compile(mean_rounded_by_numpy, backend="eager")(values))
# => [2.4 5.6]
print(torch.compile(mean_rounded_as_float, backend="eager")(values))
# => [2.4 5.6]

# %%
# Call the function outside of the context. A context inside of the function works too.


def scaled_inside(x):
    with torch.device("cpu"):
        return x * 64.0


torch.compiler.reset()
print(torch.compile(scaled, backend="eager")(values))
# => [ 76.8 179.2]
print(torch.compile(scaled_inside, backend="eager")(values))
# => [ 76.8 179.2]

# %%
# Or write the function with tensors, on the device that you want.

with torch.device("cpu"):
    print(torch.compile(scaled, backend="eager")(torch.from_numpy(values)))
# => tensor([ 76.8000, 179.2000], dtype=torch.float64)

# %%
# Some NumPy functions are not translated at all, such as ``np.vectorize`` and ``np.random.default_rng``:
# draw the numbers before and pass them in (:doc:`/gallery/10_autograd/compiled_random`,
# :doc:`/gallery/10_autograd/untranslated_numpy`).

# %%
# What does not help
# ------------------
#
# Without ``fullgraph=True`` the compiler leaves code that it does not know to Python, but this error
# arises within the code that it does know, so both ways raise.

torch.compiler.reset()
for fullgraph in (False, True):
    try:
        torch.compile(mean_rounded, backend="eager", fullgraph=fullgraph)(values)
    except RuntimeError as error:
        print(type(error).__name__)
# => TorchRuntimeError
# => TorchRuntimeError
