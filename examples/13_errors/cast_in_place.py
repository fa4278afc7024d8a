"""
RuntimeError: result type Float can't be cast to … type Long
============================================================

An in-place operation does not turn a tensor of integers into one of floats: write ``x = x + 0.5``
instead of ``x += 0.5``, or convert the tensor first.

.. fix::

   - tensor += 0.5
   + tensor + 0.5
"""

# sphinx_gallery_tags = ["dtype", "in-place", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# An array of integers becomes a tensor of integers, and ``+=``, ``/=`` and methods such as ``add_``
# write their result into that tensor. The message names the two dtypes: Float is ``float32``, Long
# is ``int64``.

array = np.array([1, 2, 3])
tensor = torch.from_numpy(array)
try:
    tensor += 0.5
except RuntimeError as error:
    print(error)
# => result type Float can't be cast to the desired output type Long
try:
    tensor /= 2
except RuntimeError as error:
    print(error)
# => result type Float can't be cast to the desired output type Long
try:
    tensor.mul_(torch.tensor([0.5, 0.5, 0.5]))
except RuntimeError as error:
    print(error)
# => result type Float can't be cast to the desired output type Long

# %%
# ``mask += 1`` raises for the same reason. This ``clamp_`` names the dtype as C++ does.

mask = torch.from_numpy(np.array([True, False]))
try:
    mask += 1
except RuntimeError as error:
    print(error)
# => result type Long can't be cast to the desired output type Bool
try:
    tensor.clamp_(0, torch.tensor(1.5))
except RuntimeError as error:
    print(error)
# => result type Float can't be cast to the desired output type long int

# %%
# NumPy refuses the same operation with a message of its own.

try:
    array += 0.5
except TypeError as error:
    print(error)
# => Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting rule 'same_kind'

# %%
# The fix
# -------
#
# ``tensor + 0.5`` makes a new ``float32`` tensor. The array and the old tensor keep their values.

print(tensor + 0.5, array)
# => tensor([1.5000, 2.5000, 3.5000]) [1 2 3]

# %%
# If many operations follow, convert once. The converted tensor has its own memory, so you can change
# it in place, and the array keeps its values.

values = tensor.float()
values += 0.5
print(values)
# => tensor([1.5000, 2.5000, 3.5000])

# %%
# To keep integers, divide by an integer with ``//=``, or round the number before you use it.

counts = tensor.clone()
counts //= 2
print(counts)
# => tensor([0, 1, 1])

# %%
# What does not help
# ------------------
#
# Assigning 2.7 to an element does not raise, and drops the fraction.

counts[0] = 2.7
print(counts)
# => tensor([2, 1, 1])

# %%
# A NumPy float counts as a Python float here, in spite of its dtype.

try:
    counts += np.float32(0.5)
except RuntimeError as error:
    print(error)
# => result type Float can't be cast to the desired output type Long
