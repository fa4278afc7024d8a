"""
RuntimeError: Expected all tensors to be on the same device
===========================================================

One operand is on a GPU and the other on the CPU, and torch does not move operands by itself: move
the input to the device of the weights.

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
# One operand is on a GPU and the other on the CPU, like a tensor from :func:`torch.from_numpy`. In
# a model, the other one is often a tensor that ``forward`` creates without ``device=``, or an
# attribute that is no parameter: ``register_buffer`` makes it move with the model. PyTorch `does
# not move operands by itself
# <https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.device>`__, so it raises.

weights = torch.tensor([1.0, 2.0, 3.0], device="cuda")
batch = torch.from_numpy(np.array([4.0, 5.0, 6.0], dtype=np.float32))
try:
    weights * batch
except RuntimeError as error:
    print(error)
# => Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!

# %%
# Since torch 2.8, a linear layer raises a different message, which names the argument on the other
# device. A convolution may name :doc:`both types </gallery/13_errors/input_and_weight_type>`.

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
# Move the input to the device of the weights. ``weights.device`` works on a machine without a GPU
# too.

moved = batch.to(weights.device)
print(weights * moved)
# => tensor([ 4., 10., 18.], device='cuda:0')

# %%
# With a model, move each batch once at the start of the loop. In a few cases you need not move it
# (:doc:`/gallery/07_cuda/cpu_exceptions`).

device = next(layer.parameters()).device
print(layer(batch.reshape(1, 3).to(device)).device)
# => cuda:0

# %%
# What does not help
# ------------------
#
# ``to`` and ``cuda`` do not move the tensor itself; a module moves in place. Assign the result, or the
# copy is lost.

batch.to("cuda")
print(batch.device)
# => cpu

# %%
# A default device does not apply to :func:`torch.from_numpy` (`issue 114691
# <https://github.com/pytorch/pytorch/issues/114691>`__), because the tensor shares the array's
# memory on the CPU.

torch.set_default_device("cuda")
print(torch.zeros(3).device, torch.from_numpy(np.zeros(3)).device)
# => cuda:0 cpu
torch.set_default_device(None)

# %%
# Works, but on the CPU
# ---------------------
#
# If you move the other operand to the CPU, the error is gone, but this operation and the following
# ones run on the CPU.

print((weights.cpu() * batch).device)
# => cpu
