"""
RuntimeError: Can't call numpy() on Tensor that requires grad
=============================================================

NumPy does not record gradients, so detach the tensor first: ``detach()`` returns it without
gradients, on the same memory.

.. fix::

   - weights.numpy()
   + array = weights.detach().numpy()

The array shares memory with the tensor: copy it before you write to it.
"""

# sphinx_gallery_tags = ["autograd", "dlpack", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Autograd does not record NumPy's operations. :meth:`torch.Tensor.numpy` and the DLPack export
# therefore raise. The DLPack export raises ``BufferError`` since 2.9, and ``RuntimeError`` before.

weights = torch.ones(2, requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
try:
    np.from_dlpack(weights)
except (BufferError, RuntimeError) as error:
    print(error)
# => Can't export tensors that require gradient, use tensor.detach()

# %%
# The fix
# -------
#
# :meth:`torch.Tensor.detach` returns a tensor on the same memory that autograd does not record. A list of
# losses has no ``detach``: append ``loss.item()`` instead of the loss, or detach each one.

array = weights.detach().numpy()
exported = np.from_dlpack(weights.detach())
print(np.shares_memory(array, exported))
# => True

# %%
# Both arrays share memory with the parameter (:doc:`/gallery/02_tensor_to_numpy/requires_grad`).
# Copy an array before you write to it, or if you need its values after the next optimizer step.

snapshot = weights.detach().numpy().copy()
snapshot[0] = 50

# %%
# Under :class:`torch.no_grad` you can call ``numpy()`` without ``detach()``; the DLPack export raises
# even there. Old releases raised for ``numpy()`` as well
# (`issue 37000 <https://github.com/pytorch/pytorch/issues/37000>`__). The output also shows that
# the write to the copy did not change the parameter.

with torch.no_grad():
    print(weights.numpy())
# => [1. 1.]

# %%
# What does not help
# ------------------
#
# Autograd records ``clone`` too, so the clone requires grad.

try:
    weights.clone().numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# ``data`` converts, but autograd does not notice writes through it: it computes the gradient of the
# square with the new values, without an error.

loss = (weights**2).sum()
weights.data.mul_(100)
loss.backward()
print(weights.grad)
# => tensor([200., 200.])

# %%
# Autograd detects the same write through ``detach()``, and raises. It does not detect a write by
# NumPy (:doc:`an example </gallery/13_errors/array_argument>`), so copy the array first.

loss = (weights**2).sum()
weights.detach().mul_(100)
try:
    loss.backward()
except RuntimeError as error:
    print(error)
# => one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
