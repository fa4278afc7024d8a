"""
Read-only GPU array to a tensor
===============================

Copy the array in its own library: ``torch.as_tensor`` and ``torch.tensor`` raise ``the read only
flag is not supported, should always be False`` for a read-only GPU array.
"""

# sphinx_gallery_tags = ["array-interface", "read-only", "error"]

import numpy as np
import torch

# %%
# An array on a GPU may say in :doc:`its interface </gallery/07_cuda/cuda_array_interface>` that it
# must not be written to. This class offers such a description, without any memory behind it.


class ReadOnly:
    __cuda_array_interface__ = {
        "typestr": "<f4",
        "shape": (2,),
        "strides": None,
        "data": (0, True),
        "version": 2,
    }


# %%
# A tensor has no read-only mode, so torch refuses. It does so before it looks at the memory or for
# a GPU, which is why this page needs none.

try:
    torch.as_tensor(ReadOnly())
except TypeError as error:
    print(error)
# => the read only flag is not supported, should always be False

# %%
# A copy is refused as well, although it could be written to without harm. The request is `issue
# 32868 <https://github.com/pytorch/pytorch/issues/32868>`__, which came from users of JAX.

try:
    torch.tensor(ReadOnly())
except TypeError as error:
    print(error)
# => the read only flag is not supported, should always be False

# %%
# NumPy's arrays are treated in another way: there the flag is a warning, and a copy is made without
# one. See :doc:`/gallery/13_errors/read_only_array`.

array = np.ones(2, dtype=np.float32)
array.flags.writeable = False
print(torch.tensor(array))
# => tensor([1., 1.])

# %%
# So copy in the library that owns the array: its copy is writable. Importing the array through
# DLPack, as :doc:`/gallery/09_protocols/jax_arrays` does, shares the memory and drops the
# protection, so that is for tensors that are only read. In NumPy the copy looks like this.

writable = array.copy()
print(array.flags.writeable, writable.flags.writeable)
# => False True
print(torch.from_numpy(writable))
# => tensor([1., 1.])
