"""
Tensor that requires grad
=========================

Decide how to leave autograd on the way to NumPy without damaging a gradient.
"""

# sphinx_gallery_tags = ["autograd", "dlpack", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Autograd could not follow what NumPy does with the values, and the gradient would silently lack
# it. So :meth:`torch.Tensor.numpy` and the DLPack export ask for an explicit end of the graph. The
# second error is a ``BufferError`` since 2.9, and was a ``RuntimeError`` before.

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
# :meth:`torch.Tensor.detach` gives a tensor on the same memory that autograd does not record.

array = weights.detach().numpy()
exported = np.from_dlpack(weights.detach())
print(np.shares_memory(array, exported))
# => True

# %%
# Both arrays are the parameter itself. :doc:`/gallery/02_tensor_to_numpy/requires_grad` tells when
# that matters; copy before writing to one, or to keep it past the next optimizer step.

snapshot = weights.detach().numpy().copy()
snapshot[0] = 50

# %%
# Code that runs under :class:`torch.no_grad` needs no ``detach``. Old releases raised there as well
# (`issue 37000 <https://github.com/pytorch/pytorch/issues/37000>`__). The parameter is unharmed.

with torch.no_grad():
    print(weights.numpy())
# => [1. 1.]

# %%
# What does not help
# ------------------
#
# A clone is one more recorded operation.

try:
    weights.clone().numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# ``data`` converts, but hides writes from autograd: the derivative of the square is taken at the
# new value, and nothing says so.

loss = (weights**2).sum()
weights.data.mul_(100)
loss.backward()
print(weights.grad)
# => tensor([200., 200.])

# %%
# The same write through ``detach`` is noticed. A write by NumPy never is, as
# :doc:`/gallery/13_errors/array_argument` shows, which is the reason for the copy above.

loss = (weights**2).sum()
weights.detach().mul_(100)
try:
    loss.backward()
except RuntimeError as error:
    print(error)
# => one of the variables needed for gradient computation has been modified by an inplace operation: [torch.FloatTensor [2]] is at version 1; expected version 0 instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True, check_nan=False).
