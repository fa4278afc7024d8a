"""
np.complex64 scalar times tensor loses the imaginary part
=========================================================

A ``np.complex64`` scalar loses its imaginary part when you multiply it with a tensor; NumPy only
warns. Convert it with ``item()``, or use ``np.complex128``.
"""

# sphinx_gallery_tags = ["scalar", "complex", "arithmetic", "silent", "warning"]

import warnings

import numpy as np
import torch

# %%
# An element of a ``complex64`` array is a NumPy scalar. Multiplied with a tensor it counts as a
# real number: the imaginary part is gone, and the result is not even complex. The warning comes
# from NumPy and does not stop anything.

single = np.array([1 + 2j], dtype=np.complex64)[0]
tensor = torch.tensor([1.0, 10.0])
print(tensor * single)
# => tensor([ 1., 10.])
# => ComplexWarning: Casting complex values to real discards the imaginary part

# %%
# The same number as ``complex128`` is treated correctly, and so is Python's ``complex``.

double = np.complex128(single)
print(tensor * double)
# => tensor([ 1.+2.j, 10.+20.j])
print(tensor * complex(single))
# => tensor([ 1.+2.j, 10.+20.j])

# %%
# The difference is the class, not the precision: ``np.complex128`` derives from ``complex``, and
# ``np.complex64`` does not. A scalar that is neither a Python number nor a NumPy integer `counts as
# a float <https://github.com/pytorch/pytorch/issues/43579>`__, and that conversion drops the
# imaginary part.

print(isinstance(double, complex), isinstance(single, complex))
# => True False

# %%
# A complex tensor does not help: the dtype of the result is then right, which hides the loss. A
# comparison gives the wrong answer as well.

signal = torch.tensor([1 + 0j, 1 + 2j])
print(signal * single)
# => tensor([1.+0.j, 1.+2.j])
# => ComplexWarning: Casting complex values to real discards the imaginary part
print(signal == single)
# => tensor([ True, False])
# => ComplexWarning: Casting complex values to real discards the imaginary part

# %%
# The order of the factors makes no difference. A function that takes a number, such as
# :func:`torch.full`, loses the part as well.

print(single * signal)
# => tensor([1.+0.j, 1.+2.j])
# => ComplexWarning: Casting complex values to real discards the imaginary part
print(torch.full((2,), single))
# => tensor([1., 1.])
# => ComplexWarning: Casting complex values to real discards the imaginary part

# %%
# What makes a *tensor* of the scalar is right: there it is data, with a dtype of its own.

print(torch.tensor(single), torch.tensor([single]))
# => tensor(1.+2.j) tensor([1.+2.j])

# %%
# So convert before the expression. ``item`` gives a Python number, which leaves the tensor's
# precision alone, and so does a tensor without dimensions.

print(signal * single.item())
# => tensor([ 1.+2.j, -3.+4.j])
print(signal * torch.tensor(single))
# => tensor([ 1.+2.j, -3.+4.j])

# %%
# In code that must not lose a part silently, let the warning be an error.

with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        signal * single
    except Warning as error:
        print(error)
# => Casting complex values to real discards the imaginary part
