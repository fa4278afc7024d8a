"""
np.from_dlpack(tensor): shared and maybe read-only
==================================================

``np.from_dlpack`` shares memory with the tensor, but whether the array is writable depends on both
releases; ``tensor.numpy()`` gives a writable array in every release.
"""

# sphinx_gallery_tags = ["dlpack", "sharing", "read-only"]

import numpy as np
import torch

# %%
# :func:`numpy.from_dlpack` asks the tensor for a DLPack capsule and makes an array on the same
# memory. The result is an ordinary :class:`numpy.ndarray`.

tensor = torch.arange(6.0).reshape(2, 3)
array = np.from_dlpack(tensor)
tensor[0, 0] = 50
print(array, array.dtype)
# => [[50.  1.  2.]
# =>  [ 3.  4.  5.]] float32
print(np.shares_memory(array, tensor.numpy()))
# => True

# %%
# Shape and strides come across as they are, so a transposed tensor needs no copy.

print(tensor.T.stride(), np.from_dlpack(tensor.T).strides)
# => (1, 3) (4, 12)

# %%
# May the array be written to? Only the versioned form of DLPack says so. torch speaks it `since
# 2.9 <https://github.com/pytorch/pytorch/pull/145000>`__; NumPy has it since 2.1, and up to 2.2.4
# `made every import read-only <https://github.com/numpy/numpy/issues/28599>`__ all the same.

print(array.flags.writeable)
# => True

# %%
# A producer without the keyword ``max_version`` sends the old form, which has no field for this.
# NumPy then `assumes the worst <https://github.com/numpy/numpy/pull/28600>`__: the same memory
# arrives read-only.


class OldProducer:
    def __init__(self, tensor):
        self.tensor = tensor

    def __dlpack__(self, stream=None):
        return self.tensor.__dlpack__()

    def __dlpack_device__(self):
        return self.tensor.__dlpack_device__()


print(np.from_dlpack(OldProducer(tensor)).flags.writeable)
# => False

# %%
# With ``numpy()`` there is nothing to negotiate: :meth:`torch.Tensor.numpy` gives a writable array
# in every release. Code that writes must not depend on which two releases meet.

print(tensor.numpy().flags.writeable)
# => True

# %%
# ``base`` tells who keeps the memory alive. Either way the array outlives the name of the tensor,
# but only ``numpy()`` protects the tensor from being resized:
# :doc:`/gallery/05_lifetime/dlpack_does_not_lock`.

print(type(array.base).__name__, type(tensor.numpy().base).__name__)
# => PyCapsule Tensor
del tensor
print(array[1])
# => [3. 4. 5.]
