"""
UserWarning: Using a target size … different to the input size
==============================================================

The targets have shape ``(n,)`` and the outputs ``(n, 1)``, so the loss compares each output with
each target: give the targets the missing axis with ``targets[:, None]``.

.. fix::

   - mse_loss(outputs, targets)
   + mse_loss(outputs, targets[:, None])

**Safe to ignore** if the loss is meant to compare each output with each target.
"""

# sphinx_gallery_tags = ["shape", "warning"]

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits, mse_loss

# %%
# The error
# ---------
#
# Labels from one column are a 1-d array, and the output of this model has two axes. These outputs
# are right, but the loss is not 0: broadcasting makes a table of three by three differences.

labels = np.array([1.0, 2.0, 3.0], dtype=np.float32)
targets = torch.from_numpy(labels)
outputs = torch.tensor([[1.0], [2.0], [3.0]])
print(outputs.shape, targets.shape)
# => torch.Size([3, 1]) torch.Size([3])
print(mse_loss(outputs, targets))
# => tensor(1.3333)
# => UserWarning: Using a target size (torch.Size([3])) that is different to the input size (torch.Size([3, 1])). This will likely lead to incorrect results due to broadcasting. Please ensure they have the same size.

# %%
# NumPy broadcasts in the same way, without a warning.

print(np.mean((outputs.numpy() - labels) ** 2))
# => 1.3333334

# %%
# ``binary_cross_entropy_with_logits`` raises instead of warning.

try:
    binary_cross_entropy_with_logits(outputs, targets)
except ValueError as error:
    print(error)
# => Target size (torch.Size([3])) must be the same as input size (torch.Size([3, 1]))

# %%
# The fix
# -------
#
# Add the axis to the targets, as a tensor or while they are an array.

print(mse_loss(outputs, targets[:, None]))
# => tensor(0.)
print(mse_loss(outputs, torch.from_numpy(labels[:, None])))
# => tensor(0.)

# %%
# If the sizes in the message are the other way round, use ``targets.squeeze(1)``. Or remove the axis
# from the outputs. Name the axis, because ``squeeze()`` removes the axis of the
# batch as well if the batch has one row: :doc:`/gallery/13_errors/zero_dim`.

print(mse_loss(outputs.squeeze(1), targets))
# => tensor(0.)

# %%
# What does not help
# ------------------
#
# A filter hides the warning, and the model learns from the wrong loss. Compare the shapes instead.

print(torch.broadcast_shapes(outputs.shape, targets.shape))
# => torch.Size([3, 3])
