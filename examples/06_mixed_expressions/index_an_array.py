"""
Index a NumPy array with a tensor
=================================

Integer tensors and boolean masks index an array, but a tensor with one element counts as an integer
and drops the axis. Index with ``index.numpy()`` to follow NumPy's rules.
"""

# sphinx_gallery_tags = ["indexing", "mask", "dtype", "silent"]

import numpy as np
import torch

# %%
# NumPy converts the tensor to an array and indexes as usual. This works for several positions, and
# for masks of the right length.

array = np.array([10, 20, 30, 40])
print(array[torch.tensor([0, 2])])
# => [10 30]
print(array[torch.tensor([True, False, True, False])])
# => [10 30]

# %%
# An integer tensor with *one* element behaves differently. NumPy `first tries to convert it to an
# integer <https://github.com/numpy/numpy/issues/16543>`__, which succeeds, so the result is a
# single element without the axis. With a batch of size one you therefore get a different number of
# dimensions.

print(array[torch.tensor([2])], array[np.array([2])])
# => 30 [30]

# %%
# A boolean tensor with one element converts to an integer too, so it selects by position instead of
# as a mask.

print(np.array([10, 20])[torch.tensor([True])])
# => 20
try:
    np.array([10, 20])[np.array([True])]
except IndexError as error:
    print(error)
# => boolean index did not match indexed array along axis 0; size of axis is 2 but size of corresponding boolean axis is 1

# %%
# A 0-d ``True`` tensor selects the element at position one. With a 0-d ``True`` array, NumPy
# selects the whole array and adds an axis.

print(array[torch.tensor(True)])
# => 20
print(array[np.array(True)])
# => [[10 20 30 40]]

# %%
# Torch's old mask dtype, ``uint8``, holds positions for NumPy (`issue 24901
# <https://github.com/pytorch/pytorch/issues/24901>`__). So the mask looks up the elements at
# positions zero and one instead of selecting. See
# :doc:`/gallery/06_mixed_expressions/masks_as_bytes`.

mask = torch.tensor([1, 0, 1, 0], dtype=torch.uint8)
print(array[mask])
# => [20 10 20 10]
print(array[mask.bool()])
# => [10 30]

# %%
# Call ``numpy()`` on the index. The array shares the tensor's memory, and NumPy's own rules apply.
# If the index is a ``uint8`` mask, also convert it to boolean.

print(array[torch.tensor([2]).numpy()])
# => [30]

# %%
# Floating-point positions raise here. When you index a tensor with an array, they do not:
# :doc:`/gallery/06_mixed_expressions/index_a_tensor`.

try:
    array[torch.tensor([0.9, 2.9])]
except IndexError as error:
    print(error)
# => only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are valid indices

# %%
# A 0-d integer tensor works as the start or end of a slice.

print(array[: torch.tensor(2)], array[torch.tensor(2) :])
# => [10 20] [30 40]
