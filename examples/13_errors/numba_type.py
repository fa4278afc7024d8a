"""
TypingError: … Cannot determine Numba type of <class 'torch.Tensor'>
====================================================================

A function of Numba's ``njit`` takes arrays, not tensors: pass ``tensor.detach().numpy()``, which shares
the memory; a kernel for the GPU accepts a CUDA tensor.

.. fix::

   - total(tensor)
   + result = total(tensor.detach().numpy())
"""

# sphinx_gallery_tags = ["numba", "sharing", "array-interface", "error"]

import numba
import numpy as np
import torch

# %%
# The error
# ---------
#
# ``njit`` looks up the type of each argument. It knows arrays, numbers and tuples, not tensors, nor
# lists of them. ``numba.typeof`` raises a ``ValueError`` with the same words, and so do
# ``vectorize`` without a signature and, for a CPU tensor, ``cuda.jit``.


@numba.njit
def total(values):
    result = 0.0
    for value in values:
        result += value
    return result


tensor = torch.arange(4.0, requires_grad=True)
try:
    total(tensor)
except numba.TypingError as error:
    print(str(error).split("argument 0: ")[1].split("\n")[0].strip())
# => Cannot determine Numba type of <class 'torch.Tensor'>
try:
    numba.typeof(tensor)
except ValueError as error:
    print(error)
# => Cannot determine Numba type of <class 'torch.Tensor'>

# %%
# The fix
# -------
#
# Pass the array of the tensor. Numba's function reads and writes the tensor's own memory.


@numba.njit
def double(values):
    for place in range(values.size):
        values[place] *= 2


result = total(tensor.detach().numpy())
double(tensor.detach().numpy())
print(result, tensor.detach())
# => 6.0 tensor([0., 2., 4., 6.])

# %%
# This function returns an array: :func:`torch.from_numpy` makes a tensor of it. Autograd does not
# see the calculation; :doc:`/gallery/10_autograd/numpy_function` shows how to add a gradient.


@numba.njit
def squared(values):
    return values * values


print(torch.from_numpy(squared(tensor.detach().numpy())))
# => tensor([ 0.,  4., 16., 36.])

# %%
# A kernel of ``numba.cuda`` takes tensors that are on the GPU as they are, through
# ``__cuda_array_interface__``: :doc:`/gallery/07_cuda/numba_kernels`. A CPU tensor lacks it:
# move it with ``tensor.cuda()``. A tensor that requires grad has to be detached.

print(hasattr(np.ones(1), "__array_interface__"), hasattr(tensor, "__cuda_array_interface__"))
# => True False

# %%
# What does not help
# ------------------
#
# A list of tensors has elements of the same unknown type.

try:
    total([torch.tensor(1.0)])
except numba.TypingError as error:
    print("<class 'torch.Tensor'>" in str(error))
# => True
