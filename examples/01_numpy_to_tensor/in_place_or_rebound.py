"""
When does a change to the array reach the tensor?
=================================================

In-place updates of an array, such as ``array += 1``, ``array[:] = ...`` and ``out=array``, change
its tensor too. ``array = array + 1`` makes a new array in other memory, so the tensor does not
change.
"""

# sphinx_gallery_tags = ["sharing", "in-place", "from_numpy", "functions"]

import numpy as np
import torch

# %%
# The ``out`` argument of :func:`numpy.add` is the array that receives the result. Here it is also
# the input, so the sum is written to the memory that the tensor shares.

array = np.zeros(3)
tensor = torch.from_numpy(array)
np.add(array, 2, out=array)
print(tensor)
# => tensor([2., 2., 2.], dtype=torch.float64)

# %%
# ``array += 1`` does the same in a shorter form. Assigning to ``array[:]`` also writes to that
# memory, although the right side is computed in a new array first.

array += 1
print(tensor)
# => tensor([3., 3., 3.], dtype=torch.float64)
array[:] = array * 10
print(tensor)
# => tensor([30., 30., 30.], dtype=torch.float64)

# %%
# Without ``out`` or the slice, the expression makes a new array, and the assignment only rebinds
# the name. The tensor keeps the old memory, and the new array does not share it.

kept = array
array = array + 1
print(array, tensor)
# => [31. 31. 31.] tensor([30., 30., 30.], dtype=torch.float64)
print(np.shares_memory(array, tensor.numpy()), np.shares_memory(kept, tensor.numpy()))
# => False True

# %%
# The same rule holds for the tensor: :meth:`torch.Tensor.add_` and ``tensor *= 2`` write in place.
# ``tensor = tensor - 62`` makes a new tensor.

tensor.add_(1)
tensor *= 2
print(kept)
# => [62. 62. 62.]
tensor = tensor - 62
print(kept, tensor)
# => [62. 62. 62.] tensor([0., 0., 0.], dtype=torch.float64)

# %%
# Function arguments follow the same rule. ``centred`` computes a new array and does not change the
# caller's array. ``centre`` writes in place, so it changes the array and the tensor that shares its
# memory.


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
# NumPy has such a pair under one name: the method ``sort`` works in place, and the function
# ``np.sort`` returns a new array. See also :doc:`/gallery/02_tensor_to_numpy/rebinding`.

samples[:] = [3.0, 1.0, 2.0]
print(np.sort(samples), view)
# => [1. 2. 3.] tensor([3., 1., 2.], dtype=torch.float64)
samples.sort()
print(view)
# => tensor([1., 2., 3.], dtype=torch.float64)
