"""
Index a NumPy array with a tensor
=================================

Integer tensors and boolean masks index an array, but a tensor with one element selects a single
element and drops the axis. Index with ``index.numpy()`` to follow NumPy's rules.
"""

# sphinx_gallery_tags = ["indexing", "mask", "dtype", "silent"]

import numpy as np
import torch

# %%
# NumPy converts the tensor and then indexes as usual. Several positions, and masks of the right
# length, do what they should.

array = np.array([10, 20, 30, 40])
print(array[torch.tensor([0, 2])])
# => [10 30]
print(array[torch.tensor([True, False, True, False])])
# => [10 30]

# %%
# A tensor with *one* element is not converted. NumPy `asks it for an integer first
# <https://github.com/numpy/numpy/issues/16543>`__, and it gives one, so the result is an element
# and the axis is lost. A batch of size one therefore has another shape than all others.

print(array[torch.tensor([2])], array[np.array([2])])
# => 30 [30]

# %%
# A boolean gives an integer too: a mask with one element selects by position.

print(np.array([10, 20])[torch.tensor([True])])
# => 20
try:
    np.array([10, 20])[np.array([True])]
except IndexError as error:
    print(error)
# => boolean index did not match indexed array along axis 0; size of axis is 2 but size of corresponding boolean axis is 1

# %%
# Without dimensions, ``True`` means the second element, and for NumPy's own ``True`` it means the
# whole array under a new axis.

print(array[torch.tensor(True)])
# => 20
print(array[np.array(True)])
# => [[10 20 30 40]]

# %%
# The old mask dtype of torch, ``uint8``, holds positions for NumPy (`issue 24901
# <https://github.com/pytorch/pytorch/issues/24901>`__). A tensor with this mask selects, an array
# looks up the elements zero and one. See :doc:`/gallery/06_mixed_expressions/masks_as_bytes`.

mask = torch.tensor([1, 0, 1, 0], dtype=torch.uint8)
print(array[mask])
# => [20 10 20 10]
print(array[mask.bool()])
# => [10 30]

# %%
# ``numpy()`` on the index costs no copy, and makes it follow NumPy's rules. Only a ``uint8`` mask
# still has to become boolean first.

print(array[torch.tensor([2]).numpy()])
# => [30]

# %%
# Floating-point positions are refused on this side. The opposite direction accepts them silently:
# :doc:`/gallery/06_mixed_expressions/index_a_tensor`.

try:
    array[torch.tensor([0.9, 2.9])]
except IndexError as error:
    print(error)
# => only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices

# %%
# As the limit of a slice an integer tensor is fine, since only an integer is wanted there.

print(array[: torch.tensor(2)], array[torch.tensor(2) :])
# => [10 20] [30 40]
