"""
How to copy a tensor to NumPy: clone, copy=True, .copy()
========================================================

``cpu()``, ``float()`` and ``contiguous()`` may return the tensor itself, so the array from
``numpy()`` still changes with it. ``clone()``, ``to(..., copy=True)`` and ``.numpy().copy()``
always copy.
"""

# sphinx_gallery_tags = ["sharing", "copy"]

import numpy as np
import torch

# %%
# These calls sound as if they made something new. Each returns the tensor itself when there is
# nothing to convert, which the documentation of :meth:`torch.Tensor.to` `states in a note
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
# So the array still aliases the tensor. Code like this works as intended while the tensor lives
# on a GPU, where ``cpu()`` copies, and changes its input when it is moved to the CPU.

array = tensor.cpu().numpy()
array[0] = -1
print(tensor)
# => tensor([-1.0000,  1.5000,  2.5000])

# %%
# The same call copies as soon as there is something to do: another dtype, another memory order.

transposed = torch.ones(2, 3).T
print(np.shares_memory(tensor.double().numpy(), tensor.numpy()))
# => False
print(np.shares_memory(transposed.contiguous().numpy(), transposed.numpy()))
# => False

# %%
# Three spellings copy always: :meth:`torch.Tensor.clone`, ``to`` with ``copy=True``, and a copy
# on the NumPy side. The second also takes a tensor from a GPU.

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
# A tensor that requires gradients is detached first. The same line then serves every device, and
# a tensor on a GPU is copied once, not twice. ``force`` is no copy:
# :doc:`/gallery/02_tensor_to_numpy/force_true`.

weights = torch.ones(2, requires_grad=True)
values = weights.detach().to("cpu", copy=True).numpy()
values += 1
print(weights)
# => tensor([1., 1.], requires_grad=True)
