"""
torch.compile on a NumPy function
=================================

``torch.compile`` runs NumPy arithmetic as torch operations and returns arrays, with a 0-d array in
place of a NumPy scalar.
"""

# sphinx_gallery_tags = ["compile", "functions", "dtype"]

import numpy as np
import torch

# %%
# :func:`torch.compile` `translates NumPy calls into torch operations
# <https://github.com/pytorch/pytorch/pull/109710>`__. You pass arrays and get an array back. The
# backend ``eager`` used here runs the translated operations without generating code.


def distances(points, centre):
    return np.sqrt(np.sum((points - centre) ** 2, axis=-1))


points = np.array([[3.0, 4.0], [6.0, 8.0]])
compiled = torch.compile(distances, backend="eager", fullgraph=True)
print(compiled(points, np.zeros(2)))
# => [ 5. 10.]
print(type(compiled(points, np.zeros(2))))
# => <class 'numpy.ndarray'>

# %%
# Where NumPy returns a scalar, the compiled function returns a 0-d array.


def norm(values):
    return np.linalg.norm(values)


compiled_norm = torch.compile(norm, backend="eager", fullgraph=True)
print(type(norm(points)).__name__, type(compiled_norm(points)).__name__)
# => float64 ndarray
print(compiled_norm(points).shape, compiled_norm(points).dtype == norm(points).dtype)
# => () True

# %%
# Here the value is the same. But this array has no hash, so a set does not accept it. ``float``
# makes both results the same.

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
# The in-place product changes the array that you passed in, as it does in NumPy.


def double(values):
    values *= 2
    return values


values = np.ones(2)
result = torch.compile(double, backend="eager", fullgraph=True)(values)
print(values, np.shares_memory(result, values))
# => [2. 2.] True

# %%
# :func:`torch.compiler.wrap_numpy` makes a NumPy function accept tensors and return tensors in
# place of arrays. Compiled, it runs on the device of the tensors and has a gradient. See
# :doc:`/gallery/10_autograd/compiled_gradients`.

wrapped = torch.compile(torch.compiler.wrap_numpy(distances), backend="eager", fullgraph=True)
tensor = torch.tensor([[3.0, 4.0]], requires_grad=True)
lengths = wrapped(tensor, torch.zeros(2))
lengths.sum().backward()
print(lengths.detach(), tensor.grad)
# => tensor([5.]) tensor([[0.6000, 0.8000]])

# %%
# If you do not compile it, the wrapper converts the tensors with ``numpy()``, which raises for a
# tensor that requires gradients.

try:
    torch.compiler.wrap_numpy(distances)(tensor, torch.zeros(2))
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
