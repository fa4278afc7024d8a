"""
Transposed and expanded tensors to NumPy: strides
=================================================

``numpy()`` on a transposed or expanded tensor is a view with the same strides, in bytes. Clone an
expanded tensor first: its array is writable, and one write changes several elements.
"""

# sphinx_gallery_tags = ["layout", "sharing"]

import numpy as np
import torch

# %%
# This view of a tensor becomes a view of the same memory in NumPy. The strides here are the same,
# but torch counts them in elements and NumPy in bytes.

matrix = torch.arange(6, dtype=torch.float32).reshape(2, 3)
array = matrix.T.numpy()
print(array.shape, matrix.T.stride(), array.strides)
# => (3, 2) (1, 3) (4, 12)
print(np.shares_memory(array, matrix.numpy()))
# => True

# %%
# The array is Fortran-ordered, which does not affect values and indexing. But code that reads the
# elements in memory order, such as ``ravel("K")`` or a compiled extension, gets a different
# sequence.

print(array.flags.c_contiguous, array.flags.f_contiguous)
# => False True
print(array.ravel())
# => [0. 3. 1. 4. 2. 5.]
print(array.ravel("K"))
# => [0. 1. 2. 3. 4. 5.]

# %%
# ``contiguous`` on this transposed tensor and :func:`numpy.ascontiguousarray` on its array both
# copy the values to new memory, so the result no longer shares memory with the original.

print(np.shares_memory(matrix.T.contiguous().numpy(), array))
# => False
print(np.shares_memory(np.ascontiguousarray(array), array))
# => False

# %%
# This batch of images in ``channels_last`` format keeps its shape but has different strides. The
# array has them too: the channel has the smallest stride.

images = torch.zeros(1, 3, 2, 2).to(memory_format=torch.channels_last)
print(images.numpy().shape, images.numpy().strides)
# => (1, 3, 2, 2) (48, 4, 24, 12)

# %%
# :meth:`torch.Tensor.expand` repeats a value with a stride of zero. In-place arithmetic such as
# ``add_`` raises on such a tensor; ``fill_`` and ``row[0] = 5`` do not.

row = torch.tensor([1.0]).expand(4)
try:
    row.add_(1)
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.

# %%
# The array is not protected: it is writable, and one write changes the whole row. In contrast, the
# result of :func:`numpy.broadcast_to` is read-only for this reason.

repeated = row.numpy()
print(repeated.strides, repeated.flags.writeable)
# => (0,) True
repeated[0] = 5
print(repeated)
# => [5. 5. 5. 5.]
print(np.broadcast_to(np.ones(1), 4).flags.writeable)
# => False

# %%
# An in-place operation such as ``repeated += 1`` changes the one value, which the whole row shows.
# Clone an expanded tensor before you write to it, as its `documentation says
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.expand.html>`__.

separate = row.clone().numpy()
separate[0] = 0
print(separate, separate.strides)
# => [0. 5. 5. 5.] (4,)
