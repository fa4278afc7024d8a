"""
Array to a trainable tensor: requires_grad and Parameter
========================================================

``torch.tensor(array, dtype=torch.float32, requires_grad=True)`` makes a trainable copy. A parameter
made with ``from_numpy`` shares memory, so each optimizer step overwrites the array.
"""

# sphinx_gallery_tags = ["autograd", "dtype", "sharing"]

import numpy as np
import torch

# %%
# Gradients need floating-point or complex tensors, so an array of integers raises. NumPy makes such
# an array of these Python integers.

counts = np.array([1, 2, 3])
try:
    torch.tensor(counts, requires_grad=True)
except RuntimeError as error:
    print(error)
# => Only Tensors of floating point and complex dtype can require gradients

# %%
# :meth:`torch.Tensor.requires_grad_` and :class:`torch.nn.Parameter`, which requires gradients by
# default, raise a ``RuntimeError`` too.

try:
    torch.from_numpy(counts).requires_grad_()
except RuntimeError as error:
    print(error)
# => only Tensors of floating point dtype can require gradients
try:
    torch.nn.Parameter(torch.from_numpy(counts))
except RuntimeError as error:
    print(error)
# => Only Tensors of floating point and complex dtype can require gradients

# %%
# Pass a float dtype in the same call. This also makes a copy, so training does not change the
# array.

weights = torch.tensor(counts, dtype=torch.float32, requires_grad=True)
print(weights)
# => tensor([1., 2., 3.], requires_grad=True)

# %%
# A tensor that shares memory can require gradients too. The optimizer then writes its updates into
# the array: here one step with a gradient of one.

initial = np.array([1.0, 2.0, 3.0])
parameter = torch.nn.Parameter(torch.from_numpy(initial))
optimizer = torch.optim.SGD([parameter], lr=0.5)
parameter.sum().backward()
optimizer.step()
print(initial)
# => [0.5 1.5 2.5]

# %%
# To keep the initial values, copy the array before you make the parameter.

initial = np.array([1.0, 2.0, 3.0])
parameter = torch.nn.Parameter(torch.tensor(initial))
optimizer = torch.optim.SGD([parameter], lr=0.5)
parameter.sum().backward()
optimizer.step()
print(initial, parameter.data)
# => [1. 2. 3.] tensor([0.5000, 1.5000, 2.5000], dtype=torch.float64)

# %%
# An array as a parameter or as a gradient raises. The first error names a method that arrays lack
# instead of the expected type.

try:
    torch.nn.Parameter(initial)
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'detach'
try:
    parameter.grad = initial
except TypeError as error:
    print(error)
# => assigned grad expected to be a Tensor or None but got grad of type numpy.ndarray

# %%
# Call ``requires_grad_`` last in a chain of conversions. If a later conversion makes a new tensor,
# that tensor is not a leaf, and ``backward`` does not store its gradient.

leaf = torch.tensor(initial).float().requires_grad_()
result = torch.tensor(initial).requires_grad_().float()
print(leaf.is_leaf, result.is_leaf)
# => True False
