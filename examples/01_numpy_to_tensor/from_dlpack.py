"""
torch.from_dlpack: import an array without a copy
=================================================

``torch.from_dlpack`` imports an object with ``__dlpack__``, such as an array of NumPy or JAX. For an
ordinary array it does the same as ``from_numpy``, but for a read-only array it does not warn.
"""

# sphinx_gallery_tags = ["sharing", "dlpack", "read-only"]

import numpy as np
import torch

# %%
# :func:`torch.from_dlpack` asks an object for its memory through the method ``__dlpack__``. A
# :class:`numpy.ndarray` has one, and the tensor shares its memory.

array = np.arange(6.0).reshape(2, 3)
tensor = torch.from_dlpack(array)
tensor[0, 0] = 100
print(array)
# => [[100.   1.   2.]
# =>  [  3.   4.   5.]]

# %%
# For an ordinary array the result is the same as from :func:`torch.from_numpy`: same dtype, same
# shape, same strides. A transposed array is not rearranged in memory.

print(torch.from_dlpack(array.T).stride(), torch.from_numpy(array.T).stride())
# => (1, 3) (1, 3)

# %%
# The two functions differ for read-only arrays. ``from_numpy`` warns, because tensors have no
# read-only flag; ``from_dlpack`` does not warn. With torch before 2.9 or NumPy before 2.1,
# ``from_dlpack`` raises instead (`pull request 145000
# <https://github.com/pytorch/pytorch/pull/145000>`__).

array.flags.writeable = False
warned = torch.from_numpy(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.

# %%
# The write succeeds and changes the read-only array. The documentation `warns about this
# <https://docs.pytorch.org/docs/stable/generated/torch.from_dlpack.html>`__: other libraries may
# have immutable data, so do not write to a tensor unless its source is writable.

torch.from_dlpack(array)[0, 1] = -1
print(array.flags.writeable, array[0])
# => False [100.  -1.   2.]

# %%
# With ``copy=True`` the tensor has its own memory, and you can write to it safely.

torch.from_dlpack(array, copy=True)[0, 1] = 50
print(array[0])
# => [100.  -1.   2.]

# %%
# DLPack does not support text, for example, and NumPy raises.

try:
    torch.from_dlpack(np.array(["a", "b"]))
except BufferError as error:
    print(error)
# => DLPack only supports signed/unsigned integers, float and complex dtypes (or dtypes registered by third-party packages).

# %%
# Lists and NumPy scalars have no ``__dlpack__`` method, and neither have the series of pandas, the
# images of Pillow or the sparse matrices of SciPy. ``from_dlpack`` then assumes that the object is
# a capsule, the object that carries the data between libraries, so the message is about capsules.
# See :doc:`/gallery/13_errors/used_capsule`.

print(hasattr(array, "__dlpack__"), hasattr(array[0, 0], "__dlpack__"))
# => True False
try:
    torch.from_dlpack([1.0, 2.0])
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# Copy a reversed array first. Its negative strides raise an error, as with ``from_numpy``
# (:doc:`/gallery/13_errors/negative_strides`). Before torch 2.14 they `abort the process
# <https://github.com/pytorch/pytorch/issues/188023>`__: :doc:`/gallery/13_errors/dlpack_abort`.

print(torch.from_dlpack(array[:, ::-1].copy()))
# => tensor([[  2.,  -1., 100.],
# =>         [  5.,   4.,   3.]], dtype=torch.float64)
