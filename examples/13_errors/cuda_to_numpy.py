"""
TypeError: can't convert cuda:0 device type tensor to numpy
===========================================================

The tensor is in the memory of a GPU, not of the CPU, which NumPy needs: copy it to the CPU first.

.. fix::

   - scores.numpy()
   + array = scores.detach().cpu().numpy()

``detach()`` is for tensors that require grad; you can leave it out for others. For CuPy stay on the GPU:
``cupy.from_dlpack(scores.detach())``, see :doc:`/gallery/07_cuda/cupy_arrays`.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "device", "error", "correction"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy uses CPU memory, and this tensor is on the GPU. :meth:`torch.Tensor.numpy` does not copy
# between devices without ``force=True``, so it raises. Creating the tensor on the GPU does not
# raise, although some tutorials say so.

scores = torch.tensor([0.5, 2.0, 4.0], device="cuda")
try:
    scores.numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# You can get this error without calling ``numpy()`` yourself: NumPy functions such as ``np.sqrt``, and
# arithmetic with an array on the right, convert the tensor.

try:
    scores / np.ones(3)
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# The fix
# -------
#
# Detach, copy to the CPU, convert. ``detach()`` shares the memory; with it the line also works for
# a tensor that requires grad. If a list holds the tensors, do it to each before NumPy gets the list, or stack
# them as below.

array = scores.detach().cpu().numpy()
print(array)
# => [0.5 2.  4. ]

# %%
# ``force=True`` does `the same and a little more
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html>`__. For a GPU tensor both
# give :doc:`a copy </gallery/07_cuda/snapshot>`, so later changes on the GPU do not appear in it.
# For a CPU tensor both can share memory.

print(scores.numpy(force=True))
# => [0.5 2.  4. ]

# %%
# If you have a list of tensors, stack them on the GPU, so that one copy is enough.

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
# ``cpu()`` returns a copy of this tensor and does not move the tensor itself, so assign the result.
# A list has no ``cpu()``.

scores.cpu()
print(scores.device)
# => cuda:0
try:
    history.cpu()
except AttributeError as error:
    print(error)
# => 'list' object has no attribute 'cpu'
