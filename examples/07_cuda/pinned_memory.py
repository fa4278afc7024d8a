"""
Pinned memory for arrays: pin_memory and non_blocking
=====================================================

``torch.from_numpy(array).pin_memory()`` copies into pinned memory. To save the copy, allocate
``torch.empty(n, pin_memory=True)`` and let NumPy write into ``buffer.numpy()``.
"""

# sphinx_gallery_tags = ["cuda", "pinned", "copy", "error"]

import numpy as np
import torch

# %%
# NumPy allocates ordinary, pageable memory. A tensor that shares it is not pinned.

array = np.array([1.0, 2.0, 3.0])
print(torch.from_numpy(array).is_pinned())
# => False

# %%
# :meth:`torch.Tensor.pin_memory` does not pin that memory. It copies the values to pinned memory,
# so later changes to the array are not seen.

pinned = torch.from_numpy(array).pin_memory()
array[0] = 100
print(pinned.is_pinned(), pinned)
# => True tensor([1., 2., 3.], dtype=torch.float64)

# %%
# :func:`torch.tensor` does not pin the copy that it makes of this array.

try:
    torch.tensor(array, pin_memory=True)
except RuntimeError as error:
    print(error)
# => Can't pin tensor constructed from numpy

# %%
# To save the copy, allocate a pinned tensor and write into its array with NumPy. With ``out=``
# NumPy writes results there directly.

buffer = torch.empty(3, dtype=torch.float64, pin_memory=True)
view = buffer.numpy()
np.multiply(array, 2, out=view)
print(buffer)
# => tensor([200.,   4.,   6.], dtype=torch.float64)

# %%
# A copy from such a buffer to the GPU can run in the background. Wait until it is done before NumPy
# writes to the buffer again: :doc:`/gallery/07_cuda/pending_upload`.

moved = buffer.to("cuda", non_blocking=True)
torch.cuda.synchronize()
view[:] = 0
print(moved)
# => tensor([200.,   4.,   6.], device='cuda:0', dtype=torch.float64)
