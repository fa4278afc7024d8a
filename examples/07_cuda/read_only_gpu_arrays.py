"""
Read-only GPU array to a tensor
===============================

Copy the array in its own library, or import a JAX array through DLPack: ``torch.as_tensor`` and
``torch.tensor`` raise ``the read only flag is not supported, should always be False`` for a
read-only GPU array.
"""

# sphinx_gallery_tags = ["array-interface", "read-only", "error"]

import numpy as np
import torch

# %%
# A GPU array can state in :doc:`its interface </gallery/07_cuda/cuda_array_interface>` that it is
# read-only. This class has such an interface, without memory behind it.


class ReadOnly:
    __cuda_array_interface__ = {
        "typestr": "<f4",
        "shape": (2,),
        "strides": None,
        "data": (0, True),
        "version": 2,
    }


# %%
# A tensor has no read-only flag, so torch raises. It checks this before it looks at the memory or
# for a GPU, so you can run this page without a GPU.

try:
    torch.as_tensor(ReadOnly())
except TypeError as error:
    print(error)
# => the read only flag is not supported, should always be False

# %%
# ``torch.tensor`` raises as well, although its copy would be safe to write to. `Issue 32868
# <https://github.com/pytorch/pytorch/issues/32868>`__, from users of JAX, asks for a change.

try:
    torch.tensor(ReadOnly())
except TypeError as error:
    print(error)
# => the read only flag is not supported, should always be False

# %%
# A read-only NumPy array does not raise: ``from_numpy`` warns once, and ``torch.tensor`` does not
# warn. See :doc:`/gallery/13_errors/read_only_array`.

array = np.ones(2, dtype=np.float32)
array.flags.writeable = False
print(torch.tensor(array))
# => tensor([1., 1.])

# %%
# Copy the array in its own library if its copies are writable, as NumPy's is below. Copies of a JAX
# array are read-only too: import the array through DLPack, as in
# :doc:`/gallery/09_protocols/jax_arrays`. That shares memory without protection, so do not write to
# such a tensor.

writable = array.copy()
print(array.flags.writeable, writable.flags.writeable)
# => False True
print(torch.from_numpy(writable))
# => tensor([1., 1.])
