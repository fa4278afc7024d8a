"""
DLPack capsule can be used only once
====================================

A DLPack capsule can be imported only once, and ``np.from_dlpack`` accepts none: pass the tensor
itself and let the other library ask it for a new capsule.
"""

# sphinx_gallery_tags = ["dlpack", "lifetime", "error"]

import numpy as np
import torch
from torch.utils.dlpack import to_dlpack

# %%
# :func:`torch.utils.dlpack.to_dlpack` packs a tensor for another library, into a capsule. The
# capsule keeps the memory alive until it is imported, and the import takes over that duty.

tensor = torch.tensor([1.0, 2.0])
capsule = to_dlpack(tensor)
print(type(capsule).__name__)
# => PyCapsule
imported = torch.from_dlpack(capsule)
print(imported.data_ptr() == tensor.data_ptr())
# => True

# %%
# Whoever imports it renames the capsule, as `the protocol demands
# <https://dmlc.github.io/dlpack/latest/python_spec.html>`__, so that it cannot be taken twice.

print('"used_dltensor"' in repr(capsule))
# => True
try:
    torch.from_dlpack(capsule)
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# The message is the same for an object that is no capsule at all, such as a list, so it does not
# prove that there was a first use.

try:
    torch.from_dlpack([1.0, 2.0])
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# :func:`numpy.from_dlpack` accepts no capsule, used or not. It wants the object that can make one.

try:
    np.from_dlpack(to_dlpack(tensor))
except AttributeError as error:
    print(error)
# => 'PyCapsule' object has no attribute '__dlpack__'
print(np.from_dlpack(tensor))
# => [1. 2.]

# %%
# So pass the tensor and let the consumer ask. It gets a new capsule for each call, knows the
# device, and can negotiate version and stream. Any number of imports share one memory.

first, second = np.from_dlpack(tensor), np.from_dlpack(tensor)
first_again = torch.from_dlpack(tensor)
print(np.shares_memory(first, second), first_again.data_ptr() == tensor.data_ptr())
# => True True

# %%
# A library that offers nothing but a capsule can be wrapped. `The standard
# <https://dmlc.github.io/dlpack/latest/python_spec.html>`__ asks for both methods. torch calls the
# second one first, to learn the device.


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
