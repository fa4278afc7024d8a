"""
RuntimeError: Expected all tensors to be on the same device
===========================================================

One operand is on a GPU and the other on the CPU, and torch never moves one by itself: move the
input to the device of the weights.

.. fix::

   - weights * batch
   + moved = batch.to(weights.device)
   + weights * moved
"""

# sphinx_gallery_tags = ["cuda", "device", "from_numpy", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# One operand is on a GPU, the other in host memory, where every tensor made by
# :func:`torch.from_numpy` starts. PyTorch `moves nothing on its own
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__, so it raises.

weights = torch.tensor([1.0, 2.0, 3.0], device="cuda")
batch = torch.from_numpy(np.array([4.0, 5.0, 6.0], dtype=np.float32))
try:
    weights * batch
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!

# %%
# Since torch 2.8, layers and matrix products say it in other words, and name the argument that is
# elsewhere; convolutions name :doc:`the types of both
# </gallery/13_errors/input_and_weight_type>`.

layer = torch.nn.Linear(3, 1).to("cuda")
try:
    layer(batch.reshape(1, 3))
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 ...

# %%
# The fix
# -------
#
# Move the input to the device of the tensor that it meets. ``weights.device`` is right on any
# machine.

moved = batch.to(weights.device)
print(weights * moved)
# => tensor([ 4., 10., 18.], device='cuda:0')

# %%
# With a model, move each batch once, where the data enters. A few combinations need no move at all
# (:doc:`/gallery/07_cuda/cpu_exceptions`).

device = next(layer.parameters()).device
print(layer(batch.reshape(1, 3).to(device)).device)
# => cuda:0

# %%
# What does not help
# ------------------
#
# For a tensor, ``to`` and ``cuda`` return another one; only a module moves in place. Without an
# assignment the copy is lost.

batch.to("cuda")
print(batch.device)
# => cpu

# %%
# A default device does not apply to :func:`torch.from_numpy` (`issue 114691
# <https://github.com/pytorch/pytorch/issues/114691>`__): the tensor shares the memory of the array,
# and that is host memory.

torch.set_default_device("cuda")
print(torch.zeros(3).device, torch.from_numpy(np.zeros(3)).device)
# => cuda:0 cpu
torch.set_default_device(None)

# %%
# Works, but on the CPU
# ---------------------
#
# Moving the other operand to the CPU ends the error, but this operation and what follows it then
# run on the CPU.

print((weights.cpu() * batch).device)
# => cpu
