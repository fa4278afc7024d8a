"""
DLPack capsule can be used only once
====================================

A second import of a DLPack capsule raises, and ``np.from_dlpack`` does not accept a capsule: pass
the tensor itself and let the other library ask it for a new capsule.
"""

# sphinx_gallery_tags = ["dlpack", "lifetime", "error"]

import numpy as np
import torch
from torch.utils.dlpack import to_dlpack

# %%
# :func:`torch.utils.dlpack.to_dlpack` puts a tensor into a capsule for another library. The capsule
# keeps the memory alive until it is imported; after that, the imported tensor does.

tensor = torch.tensor([1.0, 2.0])
capsule = to_dlpack(tensor)
print(type(capsule).__name__)
# => PyCapsule
imported = torch.from_dlpack(capsule)
print(imported.data_ptr() == tensor.data_ptr())
# => True

# %%
# The importing library renames the capsule, as `the protocol demands
# <https://dmlc.github.io/dlpack/latest/python_spec.html>`__, so a second import raises.

print('"used_dltensor"' in repr(capsule))
# => True
try:
    torch.from_dlpack(capsule)
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# A list raises the same message, so the message does not prove that a capsule was used before.

try:
    torch.from_dlpack([1.0, 2.0])
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# :func:`numpy.from_dlpack` does not accept a capsule, used or not. Pass the tensor, which can make
# a new capsule.

try:
    np.from_dlpack(to_dlpack(tensor))
except AttributeError as error:
    print(error)
# => 'PyCapsule' object has no attribute '__dlpack__'
print(np.from_dlpack(tensor))
# => [1. 2.]

# %%
# Pass the tensor to the importing function. Each call then gets a new capsule and can agree with
# the tensor on device, version and stream. The imports share the same memory.

first, second = np.from_dlpack(tensor), np.from_dlpack(tensor)
first_again = torch.from_dlpack(tensor)
print(np.shares_memory(first, second), first_again.data_ptr() == tensor.data_ptr())
# => True True

# %%
# If a library gives you only a capsule, wrap it. `The standard
# <https://dmlc.github.io/dlpack/latest/python_spec.html>`__ requires both methods, and torch calls
# ``__dlpack_device__`` first, to learn the device.


class Wrapped:
    def __init__(self, make_capsule, device):
        self.make_capsule, self.device = make_capsule, device

    def __dlpack__(self, **options):
        return self.make_capsule()

    def __dlpack_device__(self):
        return self.device


wrapped = Wrapped(lambda: to_dlpack(tensor), tensor.__dlpack_device__())
print(np.from_dlpack(wrapped), torch.from_dlpack(wrapped))
# => [1. 2.] tensor([1., 2.])
