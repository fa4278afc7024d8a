"""
RuntimeError: Tracer cannot infer type of (array([1., 1.], …
============================================================

``torch.jit.trace``, ``torch.onnx.export`` and ``torch.export`` take tensors as example inputs: convert each
array with ``torch.from_numpy`` first.

.. fix::

   - torch.jit.trace(model, rows)
   + traced = torch.jit.trace(model, torch.from_numpy(rows))
"""

# sphinx_gallery_tags = ["trace", "compile", "error"]

import functools
import warnings

import numpy as np
import torch

# %%
# The error
# ---------
#
# Newer releases of torch deprecate ``torch.jit``. This page hides their warning.

warnings.simplefilter("ignore")


model = torch.nn.Linear(2, 1)
rows = np.ones((1, 2), dtype=np.float32)
try:
    torch.jit.trace(model, rows)
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => Tracer cannot infer type of (array([1., 1.], dtype=float32),)

# %%
# Older releases say ``RuntimeError: Only tuples, lists and Variables are supported as JIT inputs/outputs. Dictionaries
# and strings are also accepted, but their usage is not recommended. Here, received an input of unsupported type:
# numpy.ndarray``. An array may be inside a dictionary of settings, such as a scale factor or the size of
# the image.

try:
    torch.jit.trace(lambda x, meta: x * 2, (torch.ones(1), {"scale": np.array([2.0])}))
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => Tracer cannot infer type of (tensor([1.]), {'scale': array([2.])})

# %%
# A traced model takes tensors, too.

traced = torch.jit.trace(model, torch.ones(1, 2))
try:
    traced(rows)
except RuntimeError as error:
    print(str(error).splitlines()[0])
# => forward() Expected a value of type 'Tensor' for argument 'input' but instead found type 'ndarray'.

# %%
# ``torch.jit.script`` translates the code, and knows neither functions of NumPy nor ``Tensor.numpy``.


def shift(x):
    return x + torch.from_numpy(np.array([1.0, 2.0]))


try:
    torch.jit.script(shift)
except RuntimeError as error:
    print(str(error).strip().splitlines()[0])
# => Python builtin <built-in function array> is currently not supported in Torchscript:

# %%
# The fix
# -------
#
# Pass tensors.

traced = torch.jit.trace(model, torch.from_numpy(rows))
print(traced(torch.ones(1, 2)).shape)
# => torch.Size([1, 1])

# %%
# Bind what is not an input of the network before you trace. It becomes part of the trace.


def scaled(x, meta):
    return x * float(meta["scale"][0])


bound = functools.partial(scaled, meta={"scale": np.array([3.0])})
print(torch.jit.trace(lambda x: bound(x), torch.ones(1))(torch.tensor([2.0])))
# => tensor([6.])

# %%
# For ``script``, write the NumPy code with torch's functions, or compute the array outside and keep it as a
# buffer of the module.


def shifted(x: torch.Tensor) -> torch.Tensor:
    return x + torch.tensor([1.0])


print(torch.jit.script(shifted)(torch.tensor([2.0])))
# => tensor([3.])

# %%
# What does not help
# ------------------
#
# ``tolist()`` gives Python's numbers, which ``trace`` does not take either.

try:
    torch.jit.trace(model, rows.tolist())
except RuntimeError as error:
    print(type(error).__name__)
# => RuntimeError

# %%
# Converting inside the function comes too late for ``script``, and ``trace`` turns the results of NumPy into
# constants: :doc:`/gallery/10_autograd/traced_constants`.
