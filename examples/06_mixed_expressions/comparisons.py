"""
Compare tensor and array: ==, != and <
======================================

``tensor == array`` compares element by element since torch 2.4, but ``tensor != array`` is ``True``
even for equal data, and ``<`` raises a ``TypeError``. Convert one side with ``torch.from_numpy`` or
``numpy()``.
"""

# sphinx_gallery_tags = ["arithmetic", "comparison", "silent", "error"]

import numpy as np
import torch

# %%
# ``==`` compares this array element by element in both orders, because torch converts the array for
# this one operator (`pull request 122249 <https://github.com/pytorch/pytorch/pull/122249>`__).
# Before 2.4 it gave a single ``False`` (`issue 119965
# <https://github.com/pytorch/pytorch/issues/119965>`__).

tensor = torch.tensor([1.0, 2.0, 3.0])
array = np.array([1.0, 2.0, 3.0])
print(tensor == array)
# => tensor([True, True, True])
print(array == tensor)
# => tensor([True, True, True])

# %%
# ``!=`` is not the opposite of ``==`` here. It returns a single ``True`` in both orders, even for
# equal data, without a warning.

print(tensor != array)
# => True
print(array != tensor)
# => True

# %%
# Neither operand implements ``!=`` for the other type. Python then `compares identity
# <https://docs.python.org/3/reference/expressions.html#value-comparisons>`__ and not elements, and
# a tensor and an array are different objects.

print(tensor.__ne__(array))
# => NotImplemented
print(array.__ne__(tensor))
# => NotImplemented

# %%
# A check for differing elements therefore returns ``True`` for equal values. If you use the result
# as a mask, it selects the whole tensor and adds an axis, where the correct selection would be
# empty.

print(np.any(tensor != array))
# => True
print(tensor[tensor != array])
# => tensor([[1., 2., 3.]])
print(tensor[tensor != torch.from_numpy(array)])
# => tensor([])

# %%
# You notice the mistake where a ``bool`` does not work.

try:
    (tensor != array).any()
except AttributeError as error:
    print(error)
# => 'bool' object has no attribute 'any'

# %%
# ``==`` also falls back on identity for this array of strings, a dtype that torch lacks. ``<``,
# ``<=``, ``>`` and ``>=`` raise here.

print(tensor == np.array(["1", "2", "3"]))
# => False
try:
    tensor < array
except TypeError as error:
    print(error)
# => '<' not supported between instances of 'Tensor' and 'numpy.ndarray'

# %%
# Convert one operand, and these comparisons are element by element. For a single answer use
# :func:`torch.equal` or :func:`numpy.array_equal`.

print(tensor != torch.from_numpy(array))
# => tensor([False, False, False])
print(tensor.numpy() != array, tensor.numpy() < array)
# => [False False False] [False False False]
print(torch.equal(tensor, torch.from_numpy(array)), np.array_equal(tensor.numpy(), array))
# => True True
