"""
NumPy code that torch.compile leaves to Python
==============================================

Compile with ``fullgraph=True``: since torch 2.13 it raises for string arrays too, for which torch
would leave the whole function to Python. Run that part before, in plain NumPy.
"""

# sphinx_gallery_tags = ["compile", "strings", "error"]

import numpy as np
import torch

# %%
# A backend of :func:`torch.compile` is a function that receives each compiled graph. This one
# counts the graphs and runs them unchanged.

graphs = []


def count(graph, _inputs):
    graphs.append(graph)
    return graph.forward


def scaled(x):
    return torch.from_numpy(np.sqrt(x.numpy())) * 2


torch.compile(scaled, backend=count)(torch.ones(2))
print(len(graphs))
# => 1

# %%
# torch has no arrays of strings. The compiler `leaves such a function to Python
# <https://github.com/pytorch/pytorch/pull/107863>`__, here the whole of it: the result is right,
# but no graph was compiled.


def selected(x, names):
    return x[torch.from_numpy(names == "a")] * 2


names = np.array(["a", "b", "a"])
graphs.clear()
print(torch.compile(selected, backend=count)(torch.ones(3), names))
# => tensor([2., 2.])
print(len(graphs))
# => 0

# %%
# ``fullgraph=True`` asks for one graph of the whole function, so it reports this function. The
# message depends on the release, so the example prints its own text. Before 2.13 it does not raise
# here.

try:
    torch.compile(selected, backend=count, fullgraph=True)(torch.ones(3), names)
except RuntimeError:
    print("not one graph")
# => not one graph

# %%
# The fix is to run that part in plain NumPy first, and to pass in something that torch can
# represent: here the mask, in other cases the integer codes of :func:`numpy.unique`.


def masked(x, mask):
    return x * mask * 2


graphs.clear()
mask = torch.from_numpy(names == "a")
print(torch.compile(masked, backend=count, fullgraph=True)(torch.ones(3), mask))
# => tensor([2., 0., 2.])
print(len(graphs))
# => 1
labels, codes = np.unique(names, return_inverse=True)
print(labels, torch.from_numpy(codes))
# => ['a' 'b'] tensor([0, 1, 0])

# %%
# A compiled function can reverse an array, although :func:`torch.from_numpy` raises for a reversed
# array (:doc:`/gallery/13_errors/negative_strides`).


def reverse(values):
    return values[::-1]


print(torch.compile(reverse, backend="eager", fullgraph=True)(np.arange(3)))
# => [2 1 0]
