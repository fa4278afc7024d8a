"""
torch.from_dlpack: import an array without a copy
=================================================

``torch.from_dlpack`` imports from any library that has ``__dlpack__``; for an ordinary array it
does the same as ``from_numpy``, but it gives no warning for a read-only one.
"""

# sphinx_gallery_tags = ["sharing", "dlpack", "read-only"]

import numpy as np
import torch

# %%
# :func:`torch.from_dlpack` takes any object with a ``__dlpack__`` method, of whatever library. A
# :class:`numpy.ndarray` has one, and the tensor shares its memory.

array = np.arange(6.0).reshape(2, 3)
tensor = torch.from_dlpack(array)
tensor[0, 0] = 100
print(array)
# => [[100.   1.   2.]
# =>  [  3.   4.   5.]]

# %%
# For an ordinary array the result is that of :func:`torch.from_numpy`: same dtype, same shape,
# same strides. A transposed array is described, not rearranged.

print(torch.from_dlpack(array.T).stride(), torch.from_numpy(array.T).stride())
# => (1, 3) (1, 3)

# %%
# The two part at read-only arrays. ``from_numpy`` warns, because a tensor cannot be read-only;
# ``from_dlpack`` says nothing. With torch before 2.9 or NumPy before 2.1 the export is refused
# (`pull request 145000 <https://github.com/pytorch/pytorch/pull/145000>`__).

array.flags.writeable = False
warned = torch.from_numpy(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
silent = torch.from_dlpack(array)

# %%
# Yet the write goes through, and the array changes in spite of its flag. The documentation
# `leaves that to the caller
# <https://docs.pytorch.org/docs/stable/generated/torch.from_dlpack.html>`__: other libraries may
# have immutable data, so import only what may be written to.

silent[0, 1] = -1
print(array.flags.writeable, array[0])
# => False [100.  -1.   2.]

# %%
# ``copy=True`` makes the question go away.

copied = torch.from_dlpack(array, copy=True)
copied[0, 1] = 50
print(array[0])
# => [100.  -1.   2.]

# %%
# DLPack transports numbers and booleans. For other dtypes NumPy's side of the exchange fails.

try:
    torch.from_dlpack(np.array(["a", "b"]))
except BufferError as error:
    print(error)
# => DLPack only supports signed/unsigned integers, float and complex dtypes (or dtypes registered by third-party packages).

# %%
# A list has no ``__dlpack__``, and neither has a NumPy scalar. Both are then taken for a capsule,
# the object that carries the data between libraries, so the message is about that. The error page
# is :doc:`/gallery/13_errors/used_capsule`.

print(hasattr(array, "__dlpack__"), hasattr(array[0, 0], "__dlpack__"))
# => True False
try:
    torch.from_dlpack([1.0, 2.0])
except RuntimeError as error:
    print(error)
# => from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only once, so you might have already constructed a tensor from it once.

# %%
# Copy a reversed array before the import. Its negative strides are refused, as ``from_numpy``
# refuses them (:doc:`/gallery/13_errors/negative_strides`), and before torch 2.14 they `abort the
# process <https://github.com/pytorch/pytorch/issues/188023>`__:
# :doc:`/gallery/13_errors/dlpack_abort`.

print(torch.from_dlpack(array[:, ::-1].copy()))
# => tensor([[  2.,  -1., 100.],
# =>         [  5.,   4.,   3.]], dtype=torch.float64)
