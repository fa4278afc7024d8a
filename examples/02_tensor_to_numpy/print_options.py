"""
Print a whole tensor: no dots, no scientific notation
=====================================================

``torch.set_printoptions(threshold=float("inf"), sci_mode=False)`` prints a tensor in full, and
``np.set_printoptions(threshold=sys.maxsize, suppress=True)`` an array. Neither changes the values.
"""

# sphinx_gallery_tags = ["print", "repr", "set_printoptions", "digits", "precision", "scientific", "truncated"]

import sys

import numpy as np
import torch

# %%
# Tensors and arrays of more than 1,000 elements are shortened with dots.

print("..." in str(torch.zeros(1001)), "..." in str(np.zeros(1001)))
# => True True
torch.set_printoptions(threshold=float("inf"))
np.set_printoptions(threshold=sys.maxsize)
print("..." in str(torch.zeros(1001)), "..." in str(np.zeros(1001)))
# => False False

# %%
# torch takes scientific notation when the largest value is far from the smallest, or when values are very
# large or small. ``sci_mode=False`` turns it off, until the next call of ``set_printoptions`` without it.

values = torch.tensor([0.0001, 12345.678])
print(values)
# => tensor([1.0000e-04, 1.2346e+04])
torch.set_printoptions(sci_mode=False, precision=2)
print(values)
# => tensor([    0.00, 12345.68])

# %%
# NumPy calls it ``suppress``, which is for small numbers: from 1e8 on, or 1e6 in ``float32``, NumPy 2.4 still
# prints exponents. For these, pass ``formatter={"float_kind": "{:.2f}".format}``.

array = values.numpy().astype(np.float64)
np.set_printoptions(suppress=True, precision=2)
print(array)
# => [    0.   12345.68]

# %%
# The settings last until they are changed; in recent releases of NumPy, a new thread starts with the
# defaults. ``"default"`` resets torch, and NumPy has a context manager.

torch.set_printoptions(profile="default")
with np.printoptions(precision=1):
    print(array)
# => [    0.  12345.7]

# %%
# For a file or a test, take the numbers themselves: ``tolist()`` and an f-string.

print([f"{value:.3f}" for value in values.tolist()])
# => ['0.000', '12345.678']

# %%
# Why an array shows more digits than its tensor: :doc:`/gallery/02_tensor_to_numpy/dtype_and_digits`.
