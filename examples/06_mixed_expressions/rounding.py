"""
round, //, % and argmax: do torch and NumPy agree?
==================================================

Yes for these: halves go to the even number, ``//`` rounds down, and ``%`` has the sign of the divisor. A cast
to integers cuts off in both, and ties give the first maximum.
"""

# sphinx_gallery_tags = ["round", "floor", "division", "modulo", "fmod", "argmax", "ties", "truncate", "integer"]

import numpy as np
import torch

# %%
# ``round`` takes halves to the nearest even number, as Python does.

array = np.array([0.5, 1.5, 2.5, -0.5, 2.7])
tensor = torch.from_numpy(array)
print(tensor.round(), np.round(array))
# => tensor([0., 2., 2., -0., 3.], dtype=torch.float64) [ 0.  2.  2. -0.  3.]

# %%
# ``decimals`` rounds to digits in both. For halves upwards, add 0.5 and use ``floor``; for halves away from
# zero, do so with ``tensor.abs()`` and multiply by ``tensor.sign()``.

print(torch.tensor([1.2345]).round(decimals=2), np.round(1.2345, 2))
# => tensor([1.2300]) 1.23
print((tensor + 0.5).floor())
# => tensor([1., 2., 3., 0., 3.], dtype=torch.float64)

# %%
# A cast cuts the fraction off, also of negative numbers: round first for pixels.

print(tensor.int(), array.astype(np.int32))
# => tensor([0, 1, 2, 0, 2], dtype=torch.int32) [0 1 2 0 2]

# %%
# Division of integers rounds down, and the remainder fits to it. ``/`` gives floats. Dividing by an integer 0
# differs: torch raises on the CPU, and NumPy warns.

whole = np.array([7, -7])
print(torch.from_numpy(whole) // 2, whole // 2, torch.from_numpy(whole) % 3, whole % 3)
# => tensor([ 3, -4]) [ 3 -4] tensor([1, 2]) [1 2]
print((torch.from_numpy(whole) / 2).dtype, (whole / 2).dtype)
# => torch.float32 float64

# %%
# C divides towards zero: ``torch.div(..., rounding_mode="trunc")`` and ``fmod``.

print(torch.div(torch.from_numpy(whole), 2, rounding_mode="trunc"), np.fmod(whole, 3))
# => tensor([ 3, -3]) [ 1 -1]

# %%
# Of equal maxima NumPy returns the first, and so does ``argmax`` of torch by its documentation. The order of equal
# values in ``topk`` is left open, and in ``sort`` without ``stable=True``.

ties = torch.tensor([1, 3, 3])
print(ties.numpy().argmax(), ties.argmax(), ties.sort(descending=True, stable=True).indices)
# => 1 tensor(1) tensor([1, 2, 0])
