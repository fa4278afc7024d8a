"""
RuntimeError: a leaf Variable that requires grad … in-place operation
=====================================================================

You write into a parameter while torch records gradients: write with ``copy_`` under
``torch.no_grad()``.

.. fix::

   - weight.copy_(torch.from_numpy(values))
   + with torch.no_grad():
   +     weight.copy_(torch.from_numpy(values))
"""

# sphinx_gallery_tags = ["autograd", "in-place", "modules", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# This parameter is a leaf, where a graph begins. While autograd records, changing it in place raises.

weight = torch.nn.Parameter(torch.zeros(3))
values = np.array([1.0, 2.0, 3.0], dtype=np.float32)
try:
    weight.copy_(torch.from_numpy(values))
except RuntimeError as error:
    print(error)
# => a leaf Variable that requires grad is being used in an in-place operation.

# %%
# This assignment to a part of it writes into a view, so the message begins with other words.

try:
    weight[:2] = torch.from_numpy(values[:2])
except RuntimeError as error:
    print(error)
# => a view of a leaf Variable that requires grad is being used in an in-place operation.

# %%
# The fix
# -------
#
# Under :class:`torch.no_grad` the write is not recorded. The parameter stays the same object, so the
# optimizer goes on with the new values.

with torch.no_grad():
    weight.copy_(torch.from_numpy(values))
print(weight)
# => Parameter containing:
# => tensor([1., 2., 3.], requires_grad=True)

# %%
# It allows writes to a part, and an update by hand, too.

with torch.no_grad():
    weight[0] = 9
    weight -= torch.from_numpy(values)
print(weight.tolist())
# => [8.0, 0.0, 0.0]

# %%
# For the arrays of a whole model use ``load_state_dict``:
# :doc:`/gallery/01_numpy_to_tensor/arrays_into_modules`.

layer = torch.nn.Linear(3, 1, bias=False)
layer.load_state_dict({"weight": torch.from_numpy(values[None])})
print(layer.weight.tolist())
# => [[1.0, 2.0, 3.0]]

# %%
# What does not help
# ------------------
#
# ``weight = weight + step`` gives a new tensor, which is no parameter: the optimizer still holds the
# old one.

step = torch.from_numpy(values)
changed = weight + step
print(type(changed).__name__, changed.is_leaf)
# => Tensor False

# %%
# A write through an array or through ``.data`` does not raise, and autograd does not notice it.
# Here the weight was 8 when the loss was computed, so its gradient is 16, not 0:
# :doc:`/gallery/10_autograd/silent_gradient`.

loss = (weight**2).sum()
weight.detach().numpy()[:] = 0
loss.backward()
print(weight.grad)
# => tensor([0., 0., 0.])
