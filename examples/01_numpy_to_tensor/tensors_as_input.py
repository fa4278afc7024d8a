"""
Arrays and tensors mixed in one list
====================================

Convert arrays with ``torch.as_tensor`` and join all with ``torch.stack``, which keeps shape and
gradients; ``torch.tensor`` loses a dimension of size one and raises ``ValueError`` for longer ones.
"""

# sphinx_gallery_tags = ["list", "autograd", "as_tensor", "silent"]

import numpy as np
import torch

# %%
# A list of tensors without dimensions becomes one tensor, like a list of numbers. NumPy scalars can
# be among them, and the result has the dtype to which all of them are promoted.

parts = [torch.tensor(1), torch.tensor(2.5), np.float64(4)]
print(torch.tensor(parts))
# => tensor([1.0000, 2.5000, 4.0000], dtype=torch.float64)

# %%
# With one element in a dimension it works as well, but the dimension is gone: each tensor was taken
# for a number. :func:`torch.stack` keeps it.

rows = [torch.tensor([1.0]), torch.tensor([2.0])]
print(torch.tensor(rows).shape, torch.stack(rows).shape)
# => torch.Size([2]) torch.Size([2, 1])

# %%
# With two elements it raises, so the same line depends on the size of the data. The error page is
# :doc:`/gallery/13_errors/list_of_tensors`.

try:
    torch.tensor([torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])])
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars

# %%
# NumPy takes such a list apart correctly, and a list in which both kinds are mixed too. The result
# is an array in the wider dtype.

mixed = [torch.tensor([1.0, 2.0]), np.array([3.0, 4.0])]
print(torch.from_numpy(np.stack(mixed)))
# => tensor([[1., 2.],
# =>         [3., 4.]], dtype=torch.float64)

# %%
# For gradients, make tensors of the arrays instead, and let torch stack.

weights = torch.tensor([1.0, 2.0], requires_grad=True)
stacked = torch.stack([weights, torch.as_tensor(mixed[1], dtype=weights.dtype)])
print(stacked.requires_grad)
# => True

# %%
# A single tensor that requires gradients passes through :func:`torch.as_tensor` unchanged.

print(torch.as_tensor(weights) is weights)
# => True

# %%
# :func:`torch.asarray` has an argument ``requires_grad``, and applies it to the tensor it returns.
# If that is the input, the input changes. Where the default is still false that happens without being
# asked for; where it is not, a warning says so: `issue 170819
# <https://github.com/pytorch/pytorch/issues/170819>`__.

tensor = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.asarray(tensor).requires_grad)
# => True
# => UserWarning: torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass requires_grad=False explicitly to get the old behavior and silence this warning.
result = torch.asarray(tensor, requires_grad=False)
print(result is tensor, tensor.requires_grad)
# => True False

# %%
# A function that must leave its input alone uses ``as_tensor``, or asks for a copy. The copy takes
# part in the graph only if that is said.

tensor.requires_grad_()
copied = torch.asarray(tensor, copy=True, requires_grad=False)
print(copied.requires_grad, tensor.requires_grad)
# => False True
