"""
Training from an array
======================

Decide how array values become trainable, and whether training may overwrite the array.
"""

# sphinx_gallery_tags = ["autograd", "requires_grad", "dtype", "sharing"]

import numpy as np
import torch

# %%
# A gradient needs a continuous value, so integers are refused. Arrays of whole numbers typed
# without a point are integers.

counts = np.array([1, 2, 3])
try:
    torch.tensor(counts, requires_grad=True)
except RuntimeError as error:
    print(error)

# %%
# The other ways to ask end in the same refusal: :meth:`torch.Tensor.requires_grad_`, and
# :class:`torch.nn.Parameter`, which requires gradients by default.

try:
    torch.from_numpy(counts).requires_grad_()
except RuntimeError as error:
    print(error)
try:
    torch.nn.Parameter(torch.from_numpy(counts))
except RuntimeError as error:
    print(error)

# %%
# Ask for a float dtype in the same call. The result is a copy, which is what a trainable tensor
# usually should be.

weights = torch.tensor(counts, dtype=torch.float32, requires_grad=True)
print(weights)

# %%
# A shared tensor may require gradients as well. The optimizer then writes its updates into the
# array: here one step with a gradient of one.

initial = np.array([1.0, 2.0, 3.0])
parameter = torch.nn.Parameter(torch.from_numpy(initial))
optimizer = torch.optim.SGD([parameter], lr=0.5)
parameter.sum().backward()
optimizer.step()
print(initial)

# %%
# To keep the initial values, copy before the tensor becomes a parameter.

initial = np.array([1.0, 2.0, 3.0])
parameter = torch.nn.Parameter(torch.tensor(initial))
optimizer = torch.optim.SGD([parameter], lr=0.5)
parameter.sum().backward()
optimizer.step()
print(initial, parameter.data)

# %%
# A parameter needs a tensor, and an array in its place is refused. So is an array as a gradient.

try:
    torch.nn.Parameter(initial)
except TypeError as error:
    print(error)
try:
    parameter.grad = initial
except TypeError as error:
    print(error)

# %%
# Turning on gradients comes last in a chain of conversions. In the wrong order the name holds a
# result of the conversion, whose gradient is not kept, and no longer the leaf.

leaf = torch.tensor(initial).float().requires_grad_()
result = torch.tensor(initial).requires_grad_().float()
print(leaf.is_leaf, result.is_leaf)
