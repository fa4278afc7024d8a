"""
There is no torch.to: to() is a method
======================================

Call ``tensor.to(device)`` and keep its result: a tensor is not changed. There is no ``torch.to``. A
module's ``to()`` moves its own parameters and returns the module itself.
"""

# sphinx_gallery_tags = ["device", "dtype", "error"]

import torch

# %%
# The `documentation <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html>`__ of
# :meth:`torch.Tensor.to` lists some of its forms as ``torch.to(...)``, but ``torch.to`` does not
# exist.

tensor = torch.tensor([1.0, 2.0])
try:
    torch.to(tensor, "meta")
except AttributeError as error:
    print(error)
# => module 'torch' has no attribute 'to'

# %%
# ``torch.cpu`` and ``torch.cuda`` exist, but they are modules and do not move tensors.

try:
    torch.cuda(tensor)
except TypeError as error:
    print(error)
# => 'module' object is not callable
try:
    torch.cpu(tensor)
except TypeError as error:
    print(error)
# => 'module' object is not callable

# %%
# If you need a function, for example for :func:`map`, use the method of the class.

print(torch.Tensor.to(tensor, "meta").device)
# => meta
print(list(map(torch.Tensor.cpu, [tensor, tensor])))
# => [tensor([1., 2.]), tensor([1., 2.])]

# %%
# ``to`` does not change the tensor. If the device or dtype has to change, it returns a new tensor,
# which is lost unless you give it a name.

tensor.to("meta")
print(tensor.device)
# => cpu

# %%
# A module does change: :meth:`torch.nn.Module.to` moves its parameters and buffers, and returns the
# module itself.

layer = torch.nn.Linear(2, 2)
print(layer.to("meta") is layer)
# => True
print(layer.weight.device)
# => meta
