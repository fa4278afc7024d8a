"""
np.complex64 scalar times tensor loses the imaginary part
=========================================================

``tensor * scalar`` drops the imaginary part of a ``np.complex64`` scalar, with a warning. Convert
the scalar with ``item()``, or use ``np.complex128``.
"""

# sphinx_gallery_tags = ["scalar", "complex", "arithmetic", "silent", "warning"]

import warnings

import numpy as np
import torch

# %%
# An element of a ``complex64`` array is a NumPy scalar. In ``tensor * scalar`` it counts as a real
# number: the imaginary part is lost, and the result is not even complex. NumPy warns but does not
# raise.

single = np.array([1 + 2j], dtype=np.complex64)[0]
tensor = torch.tensor([1.0, 10.0])
print(tensor * single)
# => tensor([ 1., 10.])
# => ComplexWarning: Casting complex values to real discards the imaginary part

# %%
# As ``complex128`` or as a Python ``complex``, the same number keeps its imaginary part.

double = np.complex128(single)
print(tensor * double)
# => tensor([ 1.+2.j, 10.+20.j])
print(tensor * complex(single))
# => tensor([ 1.+2.j, 10.+20.j])

# %%
# Precision is not the reason: ``np.complex128`` is a subclass of ``complex``, and ``np.complex64``
# is not. As ``np.complex64`` is neither a Python number nor a NumPy integer, it `counts as a float
# <https://github.com/pytorch/pytorch/issues/43579>`__, and that conversion drops the imaginary
# part.

print(isinstance(double, complex), isinstance(single, complex))
# => True False

# %%
# A complex tensor does not help. The result then has the right dtype, which hides the loss. A
# comparison gives the wrong answer as well.

signal = torch.tensor([1 + 0j, 1 + 2j])
print(signal * single)
# => tensor([1.+0.j, 1.+2.j])
# => ComplexWarning: Casting complex values to real discards the imaginary part
print(signal == single)
# => tensor([ True, False])
# => ComplexWarning: Casting complex values to real discards the imaginary part

# %%
# ``single * signal`` and :func:`torch.full`, which takes a number, drop the imaginary part as well.

print(single * signal)
# => tensor([1.+0.j, 1.+2.j])
# => ComplexWarning: Casting complex values to real discards the imaginary part
print(torch.full((2,), single))
# => tensor([1., 1.])
# => ComplexWarning: Casting complex values to real discards the imaginary part

# %%
# ``torch.tensor``, which makes a *tensor* from the scalar, keeps both parts, because there the
# scalar is data with its own dtype.

print(torch.tensor(single), torch.tensor([single]))
# => tensor(1.+2.j) tensor([1.+2.j])

# %%
# Convert the scalar before you use it. ``item`` returns a Python number, which keeps both parts. A
# complex tensor keeps its dtype; the product with a real tensor is complex. A 0-d tensor works too.

print(signal * single.item())
# => tensor([ 1.+2.j, -3.+4.j])
print(signal * torch.tensor(single))
# => tensor([ 1.+2.j, -3.+4.j])

# %%
# If your code must not lose the imaginary part, turn the warning into an error.

with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        signal * single
    except Warning as error:
        print(error)
# => Casting complex values to real discards the imaginary part
