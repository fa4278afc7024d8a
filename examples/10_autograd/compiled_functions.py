"""
torch.compile on a NumPy function
=================================

``torch.compile`` runs a NumPy function as torch operations and returns arrays; what NumPy returns
as a scalar comes out as an array without dimensions.
"""

# sphinx_gallery_tags = ["compile", "functions", "dtype"]

import numpy as np
import torch

# %%
# :func:`torch.compile` `translates NumPy calls into torch operations
# <https://github.com/pytorch/pytorch/pull/109710>`__. Arrays go in and come out. The backend
# ``eager`` runs the translation without generating code, which is enough to see what it means.


def distances(points, centre):
    return np.sqrt(np.sum((points - centre) ** 2, axis=-1))


points = np.array([[3.0, 4.0], [6.0, 8.0]])
compiled = torch.compile(distances, backend="eager", fullgraph=True)
print(compiled(points, np.zeros(2)))
# => [ 5. 10.]
print(type(compiled(points, np.zeros(2))))
# => <class 'numpy.ndarray'>

# %%
# What NumPy returns as a scalar comes out as an array without dimensions.


def norm(values):
    return np.linalg.norm(values)


compiled_norm = torch.compile(norm, backend="eager", fullgraph=True)
print(type(norm(points)).__name__, type(compiled_norm(points)).__name__)
# => float64 ndarray
print(compiled_norm(points).shape, compiled_norm(points).dtype == norm(points).dtype)
# => () True

# %%
# The value is the same and arithmetic goes on. A dictionary key or a set is where it shows, because
# arrays have no hash. ``float`` makes both results alike.

print(len({norm(points)}))
# => 1
try:
    print(len({compiled_norm(points)}))
except TypeError as error:
    print(error)
# => cannot use 'numpy.ndarray' as a set element (unhashable type: 'numpy.ndarray')
print(float(compiled_norm(points)) == float(norm(points)))
# => True

# %%
# Memory is treated as NumPy treats it: an in-place operation changes the array that was passed in.


def double(values):
    values *= 2
    return values


values = np.ones(2)
result = torch.compile(double, backend="eager", fullgraph=True)(values)
print(values, np.shares_memory(result, values))
# => [2. 2.] True

# %%
# :func:`torch.compiler.wrap_numpy` makes NumPy code a function of tensors, which runs on their
# device and takes part in a gradient. See :doc:`/gallery/10_autograd/compiled_gradients`.

wrapped = torch.compile(torch.compiler.wrap_numpy(distances), backend="eager", fullgraph=True)
tensor = torch.tensor([[3.0, 4.0]], requires_grad=True)
lengths = wrapped(tensor, torch.zeros(2))
lengths.sum().backward()
print(lengths.detach(), tensor.grad)
# => tensor([5.]) tensor([[0.6000, 0.8000]])

# %%
# Without the compiler the wrapper only converts, and that is refused as always.

try:
    torch.compiler.wrap_numpy(distances)(tensor, torch.zeros(2))
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
