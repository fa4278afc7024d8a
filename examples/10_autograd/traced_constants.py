"""
torch.jit.trace freezes NumPy results as constants
==================================================

``torch.jit.trace`` stores the result of NumPy code as a constant, so this part of the traced model
ignores the input; compare the traced model with the module on a second input.
"""

# sphinx_gallery_tags = ["trace", "silent", "error"]

import warnings

import numpy as np
import torch
from torch.fx.experimental.proxy_tensor import make_fx

# %%
# This module calls NumPy. Its result depends on its input.


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.sin(x.numpy()))


model = Sine()
print(model(torch.zeros(2)), model(torch.ones(2)))
# => tensor([0., 0.]) tensor([0.8415, 0.8415])

# %%
# :func:`torch.jit.trace` runs the module and records the torch operations. The array that NumPy
# computed becomes a constant, so this traced module ignores its input.

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    traced = torch.jit.trace(model, torch.zeros(2))
print(traced(torch.zeros(2)), traced(torch.ones(2)))
# => tensor([0., 0.]) tensor([0., 0.])

# %%
# The warnings are switched off here: ``TracerWarning`` for ``numpy`` and ``from_numpy``, and
# ``DeprecationWarning``, since newer releases of torch deprecate ``torch.jit.trace``. By default
# ``trace`` checks its result with the same input. Test with a different input to find the fault, or
# pass it as ``check_inputs``, so that ``trace`` raises a ``TracingCheckError``.

print(torch.equal(traced(torch.ones(2)), model(torch.ones(2))))
# => False

# %%
# The graph that ``make_fx`` makes from real inputs has the same fault.

graph = make_fx(model)(torch.zeros(2))
print(graph(torch.ones(2)))
# => tensor([0., 0.])

# %%
# With ``tracing_mode="fake"`` the inputs have a shape but no values from which NumPy could compute
# a constant. The error is better than a wrong model.

try:
    make_fx(model, tracing_mode="fake")(torch.zeros(2))
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.

# %%
# :func:`torch.fx.symbolic_trace` passes a proxy, which has no values. NumPy tries to convert it to
# an array and fails.

try:
    torch.fx.symbolic_trace(model)
except (TypeError, ValueError) as error:
    print(error)
# => invalid __array_struct__

# %%
# An array that does not depend on the input may be a constant. Register it as a buffer: it then
# moves to a device and is saved in a checkpoint together with the model.


class Scale(torch.nn.Module):
    def __init__(self, factors):
        super().__init__()
        self.register_buffer("factors", torch.from_numpy(factors))

    def forward(self, x):
        return x * self.factors


scale = torch.fx.symbolic_trace(Scale(np.array([2.0, 3.0])))
print(scale(torch.ones(2)), list(scale.state_dict()))
# => tensor([2., 3.], dtype=torch.float64) ['factors']
