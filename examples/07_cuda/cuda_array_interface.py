"""
__cuda_array_interface__: CuPy, Numba and PyTorch
=================================================

CuPy and Numba read a CUDA tensor through ``__cuda_array_interface__`` without a copy, and
``torch.as_tensor(x, device="cuda")`` reads their arrays. Torch's version of the interface names no
stream and drops conjugation; DLPack orders streams.
"""

# sphinx_gallery_tags = ["cuda", "array-interface", "sharing", "complex", "silent", "error"]

import torch

# %%
# A CUDA tensor describes its memory in a dictionary that CuPy and Numba read without a copy. The
# entries are named as in NumPy's array interface; see the `specification
# <https://nvidia.github.io/numba-cuda/user/cuda_array_interface.html>`__.

tensor = torch.arange(6.0, device="cuda").reshape(2, 3)
interface = tensor.__cuda_array_interface__
print(interface["typestr"], interface["shape"], interface["strides"])
# => <f4 (2, 3) None
print(interface["data"] == (tensor.data_ptr(), False))
# => True

# %%
# Strides are in bytes. ``None`` means row-major order without gaps.

print(tensor.T.__cuda_array_interface__["strides"])
# => (4, 12)

# %%
# Version 3 added a stream for which the other library waits. Torch still has version 2 without a
# stream, so finish pending work before another library reads the memory. DLPack orders the streams
# itself: :doc:`/gallery/07_cuda/dlpack_streams`.

print(interface["version"], "stream" in interface)
# => 2 False

# %%
# For the other direction use :func:`torch.as_tensor`. The class here stands for an array of another
# library. Pass ``device``, because torch otherwise made a copy on the CPU (`issue 54139
# <https://github.com/pytorch/pytorch/issues/54139>`__) until `pull request 132595
# <https://github.com/pytorch/pytorch/pull/132595>`__.


class Foreign:
    def __init__(self, tensor):
        self.owner = tensor
        self.__cuda_array_interface__ = tensor.__cuda_array_interface__


imported = torch.as_tensor(Foreign(tensor), device="cuda")
print(imported.data_ptr() == tensor.data_ptr(), imported.shape)
# => True torch.Size([2, 3])

# %%
# A conjugated tensor only sets a flag and leaves the memory unchanged, and the dictionary has no
# entry for the flag. The other library therefore reads the original values. Call ``resolve_conj``
# first, which writes the conjugated values.

signal = torch.tensor([1 + 2j], device="cuda")
print(signal.conj())
# => tensor([1.-2.j], device='cuda:0')
print(torch.as_tensor(Foreign(signal.conj()), device="cuda"))
# => tensor([1.+2.j], device='cuda:0')
print(torch.as_tensor(Foreign(signal.conj().resolve_conj()), device="cuda"))
# => tensor([1.-2.j], device='cuda:0')

# %%
# A tensor that requires gradients raises instead. A CPU tensor does not have the attribute, so
# other libraries can check for it.

try:
    torch.ones(2, device="cuda", requires_grad=True).__cuda_array_interface__
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError
print(hasattr(tensor.cpu(), "__cuda_array_interface__"))
# => False
