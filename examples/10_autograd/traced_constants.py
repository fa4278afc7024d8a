"""
torch.jit.trace freezes NumPy results as constants
==================================================

``torch.jit.trace`` stores the result of NumPy code as a constant, so the traced model ignores its
input; compare it with the module on a second input.
"""

# sphinx_gallery_tags = ["trace", "silent", "error"]

import warnings

import numpy as np
import torch
from torch.fx.experimental.proxy_tensor import make_fx

# %%
# A module that takes a step through NumPy. Its result depends on its input.


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.sin(x.numpy()))


model = Sine()
print(model(torch.zeros(2)), model(torch.ones(2)))
# => tensor([0., 0.]) tensor([0.8415, 0.8415])

# %%
# :func:`torch.jit.trace` runs the module once and writes down the operations of torch. NumPy's are
# none of them, so the array they made becomes a constant. The trace ignores its input.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    traced = torch.jit.trace(model, torch.zeros(2))
print(traced(torch.zeros(2)), traced(torch.ones(2)))
# => tensor([0., 0.]) tensor([0., 0.])

# %%
# A ``TracerWarning``, switched off here, is the only sign, and ordinary traces give many of them.
# ``trace`` checks its result with the same input only. A test with another input shows the fault.

print(torch.equal(traced(torch.ones(2)), model(torch.ones(2))))
# => False

# %%
# The graph from ``make_fx`` with real inputs has the same hole.

graph = make_fx(model)(torch.zeros(2))
print(graph(torch.ones(2)))
# => tensor([0., 0.])

# %%
# Tracing with stand-ins for the values cannot make the mistake, for they have no values to compute
# with. This error is the better outcome.

try:
    make_fx(model, tracing_mode="fake")(torch.zeros(2))
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.

# %%
# :func:`torch.fx.symbolic_trace` passes a stand-in that has no dtype or shape either. NumPy asks
# it for an array, and gets nothing that it can use.

try:
    torch.fx.symbolic_trace(model)
except (TypeError, ValueError) as error:
    print(error)
# => invalid __array_struct__

# %%
# An array that does not depend on the input may well be a constant. As a buffer it is part of the
# model, and moves with it to a device and into a checkpoint.


class Scale(torch.nn.Module):
    def __init__(self, factors):
        super().__init__()
        self.register_buffer("factors", torch.from_numpy(factors))

    def forward(self, x):
        return x * self.factors


scale = torch.fx.symbolic_trace(Scale(np.array([2.0, 3.0])))
print(scale(torch.ones(2)), list(scale.state_dict()))
# => tensor([2., 3.], dtype=torch.float64) ['factors']
