"""
__dlpack__, __array__, array interface: who reads which
=======================================================

``torch.from_dlpack`` takes an object with ``__dlpack__`` and ``__dlpack_device__``; for one that
has ``__array__`` or the array interface instead, use ``torch.from_numpy(np.asarray(x))``.
"""

# sphinx_gallery_tags = ["dlpack", "as_tensor", "buffer", "array-interface"]

import numpy as np
import torch

# %%
# Two small classes wrap the same array. One supports DLPack, the other NumPy's protocols: the
# method ``__array__`` and `the array interface
# <https://numpy.org/doc/stable/reference/arrays.interface.html>`__.


class WithDLPack:
    def __init__(self, array):
        self.__dlpack__ = array.__dlpack__
        self.__dlpack_device__ = array.__dlpack_device__


class WithArray:
    def __init__(self, array):
        self.array = array
        self.__array_interface__ = array.__array_interface__

    def __array__(self, dtype=None, copy=None):
        return np.array(self.array, dtype=dtype, copy=copy)


# %%
# :func:`torch.from_dlpack` accepts an object with ``__dlpack__`` and shares its memory.

array = np.array([1.0, 2.0])
tensor = torch.from_dlpack(WithDLPack(array))
print(tensor.data_ptr() == array.ctypes.data)
# => True

# %%
# :func:`torch.from_numpy` accepts neither class. It needs an array, not an object that can be
# converted to one.

try:
    torch.from_numpy(WithDLPack(array))
except TypeError as error:
    print(error)
# => expected np.ndarray (got WithDLPack)

# %%
# ``torch.tensor``, ``as_tensor`` and ``asarray`` do not use NumPy's protocols. The message mentions
# a dtype because torch infers one before it reads the values.

for convert in [torch.tensor, torch.as_tensor, torch.asarray]:
    try:
        convert(WithArray(array))
    except RuntimeError as error:
        print(convert.__name__, error)
# => tensor Could not infer dtype of WithArray
# => as_tensor Could not infer dtype of WithArray
# => asarray Could not infer dtype of WithArray

# %%
# :func:`numpy.asarray` does use them. Call it first: it makes an array without a copy, which
# ``from_numpy`` accepts.

adapted = torch.from_numpy(np.asarray(WithArray(array)))
print(adapted.data_ptr() == array.ctypes.data)
# => True

# %%
# A CPU tensor has ``__array__`` and ``__dlpack__``, so NumPy can import it in two ways. See
# :doc:`/gallery/02_tensor_to_numpy/no_buffer_protocol`.

print(np.shares_memory(np.asarray(tensor), np.from_dlpack(tensor)))
# => True

# %%
# :func:`torch.asarray` and :func:`torch.as_tensor` accept DLPack too, and share the memory if they
# need not cast. Older releases `ignored it <https://github.com/pytorch/pytorch/issues/120614>`__; call ``from_dlpack``
# if you have to support them.

for convert in [torch.asarray, torch.as_tensor]:
    print(convert(WithDLPack(array)).data_ptr() == array.ctypes.data)
# => True
# => True
