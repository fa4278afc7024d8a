"""
RuntimeError: element 0 of tensors does not require grad
========================================================

The loss is not connected to the parameters, often because it went through ``numpy()``, ``detach()`` or
``torch.tensor(...)``: compute it with differentiable torch functions.

.. fix::

   - loss = torch.tensor(np.mean((outputs.detach().numpy() - labels) ** 2))
   + loss = torch.mean((outputs - torch.from_numpy(labels)) ** 2)
"""

# sphinx_gallery_tags = ["autograd", "numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# NumPy computes this loss, and ``torch.tensor`` makes a new tensor of the result, which is not
# connected to the weights. ``element 0`` is the tensor on which you call ``backward``.

weights = torch.ones(3, requires_grad=True)
labels = np.array([1.0, 2.0, 3.0], dtype=np.float32)
outputs = weights * 2
loss = torch.tensor(np.mean((outputs.detach().numpy() - labels) ** 2))
try:
    loss.backward()
except RuntimeError as error:
    print(error)
# => element 0 of tensors does not require grad and does not have a grad_fn

# %%
# To find the line, print ``grad_fn`` from the model to the loss: where it becomes ``None``, the
# gradient ends.

print(outputs.grad_fn is None, loss.grad_fn is None)
# => False True

# %%
# The fix
# -------
#
# Convert the labels to a tensor instead of the outputs to an array.

loss = torch.mean((outputs - torch.from_numpy(labels)) ** 2)
loss.backward()
print(weights.grad)
# => tensor([ 1.3333,  0.0000, -1.3333])

# %%
# If a step has to stay in NumPy, write its derivative yourself, in a ``torch.autograd.Function``:
# :doc:`/gallery/10_autograd/numpy_function`.

# %%
# Other causes
# ------------
#
# A comparison, ``argmax`` and a conversion to integers have no derivative, so do not use the number
# of right answers as a loss.

hits = (outputs > 1).float().sum()
print(hits.requires_grad)
# => False

# %%
# ``no_grad`` turns recording off, and parameters with ``requires_grad=False`` are left out.

with torch.no_grad():
    quiet = (weights * 2).sum()
frozen = torch.nn.Linear(3, 1).requires_grad_(False)
print(quiet.requires_grad, frozen(torch.ones(3)).requires_grad)
# => False False

# %%
# What does not help
# ------------------
#
# ``requires_grad_()`` on the loss silences the error. ``backward`` then runs, and the weights get no
# gradient, so the model does not learn.

weights.grad = None
loss = torch.tensor(np.mean((outputs.detach().numpy() - labels) ** 2)).requires_grad_()
loss.backward()
print(weights.grad)
# => None
