"""
Arrays and tensors mixed in one list
====================================

Convert the arrays with ``torch.as_tensor`` and join everything with ``torch.stack``, which keeps
shape and gradients. For a list of tensors, ``torch.tensor`` drops the dimension of those with one
element, and raises if one has more.
"""

# sphinx_gallery_tags = ["list", "autograd", "as_tensor", "silent"]

import numpy as np
import torch

# %%
# A list of 0-d tensors becomes one tensor, like a list of numbers, and loses its gradients. This
# list also holds a NumPy scalar, and the result has its dtype.

parts = [torch.tensor(1), torch.tensor(2.5), np.float64(4)]
print(torch.tensor(parts))
# => tensor([1.0000, 2.5000, 4.0000], dtype=torch.float64)

# %%
# A list of 1-d tensors with one element each converts as well, but the result loses a dimension:
# each tensor is treated as a number. :func:`torch.stack` keeps the dimension.

rows = [torch.tensor([1.0]), torch.tensor([2.0])]
print(torch.tensor(rows).shape, torch.stack(rows).shape)
# => torch.Size([2]) torch.Size([2, 1])

# %%
# With two elements in each tensor it raises, so the same line can work or fail depending on the
# size of the data. See :doc:`/gallery/13_errors/list_of_tensors`.

try:
    torch.tensor([torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0])])
except ValueError as error:
    print(error)
# => only one element tensors can be converted to Python scalars

# %%
# :func:`numpy.stack` accepts this list of a tensor and an array. The result is an array in the
# wider of their dtypes.

mixed = [torch.tensor([1.0, 2.0]), np.array([3.0, 4.0])]
print(torch.from_numpy(np.stack(mixed)))
# => tensor([[1., 2.],
# =>         [3., 4.]], dtype=torch.float64)

# %%
# To keep gradients, convert the arrays to tensors and call :func:`torch.stack`.

weights = torch.tensor([1.0, 2.0], requires_grad=True)
stacked = torch.stack([weights, torch.as_tensor(mixed[1], dtype=weights.dtype)])
print(stacked.requires_grad)
# => True

# %%
# :func:`torch.as_tensor` returns this tensor, which requires gradients, unchanged.

print(torch.as_tensor(weights) is weights)
# => True

# %%
# :func:`torch.asarray` sets ``requires_grad`` on the tensor that it returns. If that is the input
# tensor, the input changes. On releases where ``requires_grad`` defaults to ``False``, this happens
# even if you do not pass it. Newer releases keep the input's value and warn: `issue 170819
# <https://github.com/pytorch/pytorch/issues/170819>`__.

tensor = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.asarray(tensor).requires_grad)
# => True
# => UserWarning: torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. Pass requires_grad=False explicitly to get the old behavior and silence this warning.
result = torch.asarray(tensor, requires_grad=False)
print(result is tensor, tensor.requires_grad)
# => True False

# %%
# If your function must not change its input, use ``as_tensor`` or make a copy. Pass
# ``requires_grad`` to say whether the copy takes part in the graph.

tensor.requires_grad_()
copied = torch.asarray(tensor, copy=True, requires_grad=False)
print(copied.requires_grad, tensor.requires_grad)
# => False True
