"""
Compare tensor and array: ==, != and <
======================================

``tensor == array`` compares element by element since torch 2.4, but ``tensor != array`` is always
``True``, and ``<`` raises a ``TypeError``. Convert one side with ``torch.from_numpy`` or
``numpy()``.
"""

# sphinx_gallery_tags = ["arithmetic", "comparison", "silent", "error"]

import numpy as np
import torch

# %%
# ``==`` compares element by element in both orders, because torch converts the array for this one
# operator (`pull request 122249 <https://github.com/pytorch/pytorch/pull/122249>`__). Before 2.4
# it gave a single ``False`` (`issue 119965
# <https://github.com/pytorch/pytorch/issues/119965>`__).

tensor = torch.tensor([1.0, 2.0, 3.0])
array = np.array([1.0, 2.0, 3.0])
print(tensor == array)
# => tensor([True, True, True])
print(array == tensor)
# => tensor([True, True, True])

# %%
# ``!=`` is not the opposite. It returns one Python ``bool``, and it is true for equal data, in
# both orders, without a warning.

print(tensor != array)
# => True
print(array != tensor)
# => True

# %%
# The elements are never looked at, since both sides decline. For ``!=`` Python then `falls back
# on identity <https://docs.python.org/3/reference/expressions.html#value-comparisons>`__, and two
# objects of different types are never the same object.

print(tensor.__ne__(array))
# => NotImplemented
print(array.__ne__(tensor))
# => NotImplemented

# %%
# So a check such as "does any element differ" always says yes. Used as a mask, the ``bool``
# selects everything under one new axis, where the selection of differing elements should be
# empty.

print(np.any(tensor != array))
# => True
print(tensor[tensor != array])
# => tensor([[1., 2., 3.]])
print(tensor[tensor != torch.from_numpy(array)])
# => tensor([])

# %%
# The mistake comes to light only where a ``bool`` is not accepted.

try:
    (tensor != array).any()
except AttributeError as error:
    print(error)
# => 'bool' object has no attribute 'any'

# %%
# ``==`` has the same fallback for an array that torch cannot convert, such as one of strings.
# ``<``, ``<=``, ``>`` and ``>=`` have none and raise.

print(tensor == np.array(["1", "2", "3"]))
# => False
try:
    tensor < array
except TypeError as error:
    print(error)
# => '<' not supported between instances of 'Tensor' and 'numpy.ndarray'

# %%
# Give both operands one type and every comparison is elementwise. For one answer for the whole,
# use :func:`torch.equal` or :func:`numpy.array_equal`.

print(tensor != torch.from_numpy(array))
# => tensor([False, False, False])
print(tensor.numpy() != array, tensor.numpy() < array)
# => [False False False] [False False False]
print(torch.equal(tensor, torch.from_numpy(array)), np.array_equal(tensor.numpy(), array))
# => True True
