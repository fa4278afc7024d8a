"""
How to copy a tensor to NumPy: clone, copy=True, .copy()
========================================================

``cpu()``, ``float()`` and ``contiguous()`` may return the tensor itself, so the array from
``numpy()`` still changes with it. ``clone()``, ``to(..., copy=True)`` and ``.numpy().copy()`` copy.
"""

# sphinx_gallery_tags = ["sharing", "copy"]

import numpy as np
import torch

# %%
# These four calls sound as if they made something new. But each returns the tensor itself if there
# is nothing to convert, as the documentation of :meth:`torch.Tensor.to` `states in a note
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__.

tensor = torch.tensor([0.5, 1.5, 2.5])
print(tensor.cpu() is tensor)
# => True
print(tensor.to("cpu") is tensor)
# => True
print(tensor.float() is tensor)
# => True
print(tensor.contiguous() is tensor)
# => True

# %%
# The array therefore still shares memory with the tensor. On a GPU tensor ``cpu()`` copies, so a write
# to the array leaves the tensor as it is. On a CPU tensor the same code changes its input.

array = tensor.cpu().numpy()
array[0] = -1
print(tensor)
# => tensor([-1.0000,  1.5000,  2.5000])

# %%
# The same calls copy as soon as there is something to do, such as a new dtype or a new memory
# order.

transposed = torch.ones(2, 3).T
print(np.shares_memory(tensor.double().numpy(), tensor.numpy()))
# => False
print(np.shares_memory(transposed.contiguous().numpy(), transposed.numpy()))
# => False

# %%
# Three ways copy: :meth:`torch.Tensor.clone`, ``to`` with ``copy=True``, and ``copy()`` on the
# array. ``to("cpu", copy=True)`` also works for a tensor on a GPU.

snapshots = [
    tensor.clone().numpy(),
    tensor.to("cpu", copy=True).numpy(),
    tensor.numpy().copy(),
]
tensor.zero_()
for snapshot in snapshots:
    print(snapshot)
# => [-1.   1.5  2.5]
# => [-1.   1.5  2.5]
# => [-1.   1.5  2.5]

# %%
# If the tensor requires gradients, detach it first. The line below works for CPU and GPU tensors,
# and copies a GPU tensor once, not twice. ``force=True`` does not guarantee a copy:
# :doc:`/gallery/02_tensor_to_numpy/force_true`.

weights = torch.ones(2, requires_grad=True)
values = weights.detach().to("cpu", copy=True).numpy()
values += 1
print(weights)
# => tensor([1., 1.], requires_grad=True)
