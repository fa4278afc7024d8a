"""
When does a change to the array reach the tensor?
=================================================

A tensor sees in-place updates of its array, such as ``array += 1``, ``array[:] = ...`` and
``out=array``, but ``array = array + 1`` makes a new array in other memory.
"""

# sphinx_gallery_tags = ["sharing", "in-place", "from_numpy", "functions"]

import numpy as np
import torch

# %%
# The ``out`` argument of :func:`numpy.add` names the array that receives the result. Here it is
# the input itself, so the sum lands in the memory that the tensor reads.

array = np.zeros(3)
tensor = torch.from_numpy(array)
np.add(array, 2, out=array)
print(tensor)
# => tensor([2., 2., 2.], dtype=torch.float64)

# %%
# An augmented assignment to an array is the same call in a shorter form. A write to a slice that
# covers everything ends in the same memory; only the right side is computed in a new array first.

array += 1
print(tensor)
# => tensor([3., 3., 3.], dtype=torch.float64)
array[:] = array * 10
print(tensor)
# => tensor([30., 30., 30.], dtype=torch.float64)

# %%
# Without ``out`` or the slice, the expression makes a new array, and the assignment only moves
# the name. The tensor keeps the old memory, and the two no longer have anything in common.

kept = array
array = array + 1
print(array, tensor)
# => [31. 31. 31.] tensor([30., 30., 30.], dtype=torch.float64)
print(np.shares_memory(array, tensor.numpy()), np.shares_memory(kept, tensor.numpy()))
# => False True

# %%
# The tensor follows the same rule from its side: methods that end in an underscore, such as
# :meth:`torch.Tensor.add_`, and augmented assignments write in place.

tensor.add_(1)
tensor *= 2
print(kept)
# => [62. 62. 62.]
tensor = tensor - 62
print(kept, tensor)
# => [62. 62. 62.] tensor([0., 0., 0.], dtype=torch.float64)

# %%
# Arguments are names as well. A function that computes a new array leaves the caller's alone; one
# that writes in place changes it, and every tensor on its memory.


def centred(values):
    return values - values.mean()


def centre(values):
    values -= values.mean()


samples = np.array([1.0, 2.0, 6.0])
view = torch.from_numpy(samples)
print(centred(samples), view)
# => [-2. -1.  3.] tensor([1., 2., 6.], dtype=torch.float64)
centre(samples)
print(view)
# => tensor([-2., -1.,  3.], dtype=torch.float64)

# %%
# NumPy has such pairs under one name as well: the method ``sort`` works in place, the function
# returns a new array. See also :doc:`/gallery/02_tensor_to_numpy/rebinding`.

samples[:] = [3.0, 1.0, 2.0]
print(np.sort(samples), view)
# => [1. 2. 3.] tensor([3., 1., 2.], dtype=torch.float64)
samples.sort()
print(view)
# => tensor([1., 2., 3.], dtype=torch.float64)
