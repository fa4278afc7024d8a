"""
np.from_dlpack(tensor): shared and maybe read-only
==================================================

``np.from_dlpack`` shares memory with the tensor, but whether you can write to the array depends on
the releases of torch and NumPy. ``tensor.numpy()`` gives a writable array in the older ones too.
"""

# sphinx_gallery_tags = ["dlpack", "sharing", "read-only"]

import numpy as np
import torch

# %%
# :func:`numpy.from_dlpack` gets a DLPack capsule from the tensor and makes an array on the same
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
# The array of the transposed tensor has its strides too, in bytes.

print(tensor.T.stride(), np.from_dlpack(tensor.T).strides)
# => (1, 3) (4, 12)

# %%
# The versioned form of DLPack says whether you may write to the array. torch supports it `since 2.9
# <https://github.com/pytorch/pytorch/pull/145000>`__, NumPy since 2.1. Up to 2.2.4, NumPy still
# `made imports read-only <https://github.com/numpy/numpy/issues/28599>`__.

print(array.flags.writeable)
# => True

# %%
# An object whose ``__dlpack__`` has no ``max_version`` argument sends the older form, which does
# not say whether the memory is writable. NumPy `then assumes that it is not
# <https://github.com/numpy/numpy/pull/28600>`__: the array on the same memory is read-only.


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
# If you have to write, call :meth:`torch.Tensor.numpy`: its array is writable in older releases
# too.

print(tensor.numpy().flags.writeable)
# => True

# %%
# ``base`` is the object that keeps the memory alive. With either call the array stays valid after
# the tensor is deleted, but ``np.from_dlpack``, unlike ``numpy()``, does not protect the tensor
# from being resized: :doc:`/gallery/05_lifetime/dlpack_does_not_lock`.

print(type(array.base).__name__, type(tensor.numpy().base).__name__)
# => PyCapsule Tensor
del tensor
print(array[1])
# => [3. 4. 5.]
