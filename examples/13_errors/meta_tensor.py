"""
NotImplementedError: Cannot copy out of meta tensor; no data!
=============================================================

The model is on the meta device, which keeps shapes but no values: load a checkpoint with
``assign=True`` before you move or convert it.

.. fix::

   - layer.to("cpu")
   + layer.load_state_dict(checkpoint, assign=True)

If you have no checkpoint, call ``to_empty(device="cpu")`` and initialise parameters and buffers.
"""

# sphinx_gallery_tags = ["meta", "device", "numpy", "error"]

import torch

# %%
# The error
# ---------
#
# A tensor on the `meta device <https://docs.pytorch.org/docs/stable/meta.html>`__ has a shape and a
# dtype but no values. :meth:`torch.Tensor.numpy` checks whether the device is the CPU, as :doc:`for
# a GPU </gallery/13_errors/cuda_to_numpy>`. If you follow its advice, you get the next error.

layer = torch.nn.Linear(2, 1, device="meta")
try:
    layer.weight.numpy()
except TypeError as error:
    print(error)
# => can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.
try:
    layer.weight.cpu()
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data!

# %%
# Moving the whole module raises too. `Since 2.3 <https://github.com/pytorch/pytorch/pull/119353>`__
# the message of ``to`` includes a hint.

try:
    layer.to("cpu")
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() instead of torch.nn.Module.to() when moving module from meta to a different device.

# %%
# The fix
# -------
#
# Load a checkpoint with ``assign=True``, available since torch 2.1. Its tensors replace the empty
# ones of the same names.

checkpoint = {"weight": torch.tensor([[0.5, 2.0]]), "bias": torch.zeros(1)}
layer.load_state_dict(checkpoint, assign=True)
print(layer.weight.detach().numpy())
# => [[0.5 2. ]]

# %%
# If there is no checkpoint, allocate memory with :meth:`torch.nn.Module.to_empty` and initialise it
# at once, because it holds arbitrary values.

fresh = torch.nn.Linear(2, 1, device="meta").to_empty(device="cpu")
fresh.reset_parameters()
print(fresh.weight.detach().numpy().shape)
# => (1, 2)

# %%
# What does not help
# ------------------
#
# ``force=True`` includes the copy to the CPU, so it raises like ``cpu()``.

try:
    torch.empty(2, device="meta").numpy(force=True)
except NotImplementedError as error:
    print(error)
# => Cannot copy out of meta tensor; no data!

# %%
# If you do not pass ``assign=True``, :meth:`torch.nn.Module.load_state_dict` copies into tensors
# that have no memory. It warns, and the parameters stay empty.

empty = torch.nn.Linear(2, 1, bias=False, device="meta")
empty.load_state_dict({"weight": checkpoint["weight"]})
# => UserWarning: for weight: copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to their corresponding key in the module instead of copying them in place?)
print(empty.weight.device)
# => meta
