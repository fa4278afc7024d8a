"""
TypeError: can't convert cuda:0 device type tensor to numpy
===========================================================

The tensor is in the memory of a GPU, which NumPy cannot read: copy it to the CPU first.

.. fix::

   - scores.numpy()
   + array = scores.detach().cpu().numpy()

``detach()`` matters only for a tensor that requires grad, and does no harm otherwise.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "device", "error", "correction"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# An array is a view of host memory, and these values are in the memory of a GPU.
# :meth:`torch.Tensor.numpy` without ``force`` never moves data, so it raises. Creating the tensor
# on the GPU, which some tutorials blame, raises nothing.

scores = torch.tensor([0.5, 2.0, 4.0], device="cuda")
try:
    scores.numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# Your code may not call ``numpy()`` at all: NumPy's functions, and operators with an array, convert
# every tensor that they get, also in a list.

try:
    scores / np.ones(3)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# The fix
# -------
#
# Detach, copy to the CPU, convert. ``detach()`` copies nothing, and the line then also works for a
# tensor that requires grad.

array = scores.detach().cpu().numpy()
print(array)
# => [0.5 2.  4. ]

# %%
# ``force=True`` is `the same chain and a little more
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html>`__. From a GPU both give
# :doc:`a copy </gallery/07_cuda/snapshot>`, which later work on the GPU does not change. From a CPU
# tensor both can share memory.

print(scores.numpy(force=True))
# => [0.5 2.  4. ]

# %%
# Stack a list of tensors on the GPU, so that one copy brings all of them.

history = [scores, scores + 1]
print(torch.stack(history).cpu().numpy().shape)
# => (2, 3)

# %%
# What does not help
# ------------------
#
# ``detach()`` and ``data`` leave the tensor on the GPU.

for still_on_gpu in (scores.detach(), scores.data):
    try:
        still_on_gpu.numpy()
    except TypeError as error:
        print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# ``cpu()`` returns a copy and leaves the tensor where it is, so assign the result. A list of
# tensors has no such method.

scores.cpu()
print(scores.device)
# => cuda:0
try:
    history.cpu()
except AttributeError as error:
    print(error)
# => 'list' object has no attribute 'cpu'
