"""
torch.export of a model that calls numpy()
==========================================

``torch.export.export`` with ``strict=True`` translates NumPy arithmetic into torch operations; with
the default, ``strict=False``, a model that calls ``numpy()`` on its input raises ``RuntimeError``.
"""

# sphinx_gallery_tags = ["export", "error"]

import numpy as np
import torch

# %%
# This model calls NumPy between two torch steps.


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.sin(x.numpy()))


model = Sine()
arguments = (torch.zeros(2),)

# %%
# With ``strict=False``, `now the default <https://github.com/pytorch/pytorch/pull/148790>`__,
# :func:`torch.export.export` runs the model in Python on tensors without values. They belong to a
# subclass of :class:`torch.Tensor`, for which ``numpy()`` raises. `Issue 148779
# <https://github.com/pytorch/pytorch/issues/148779>`__ asks to change this.

try:
    torch.export.export(model, arguments, strict=False)
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.

# %%
# With ``strict=True`` torch analyses the code instead and translates the NumPy calls, as in
# :doc:`/gallery/10_autograd/compiled_functions`. The exported program contains torch's sine.

program = torch.export.export(model, arguments, strict=True)
names = [str(node.target) for node in program.graph.nodes]
print("aten.sin.default" in names)
# => True

# %%
# The program computes from its input: it has not stored the result for the example arguments.

exported = program.module()
print(torch.allclose(exported(torch.ones(2)), torch.sin(torch.ones(2))))
# => True

# %%
# With ``strict=False``, an array that this model keeps and passes to ``from_numpy`` becomes a
# constant of the program. It shares memory with the array, so changing the array later changes the
# program.


class Scale(torch.nn.Module):
    def __init__(self, factors):
        super().__init__()
        self.factors = factors

    def forward(self, x):
        return x * torch.from_numpy(self.factors).sum()


factors = np.array([2.0, 3.0], dtype=np.float32)
scale = Scale(factors)
exported = torch.export.export(scale, (torch.ones(2),), strict=False).module()
print(exported(torch.ones(2)))
# => tensor([5., 5.])
factors[:] = 100
print(exported(torch.ones(2)))
# => tensor([200., 200.])

# %%
# Copy the array into the model to avoid this: later changes to the array then do not reach it.

scale = Scale(factors.copy())
exported = torch.export.export(scale, (torch.ones(2),), strict=False).module()
factors[:] = 0
print(exported(torch.ones(2)))
# => tensor([200., 200.])

# %%
# If the NumPy code cannot be translated, make it a custom operator, which the exported program
# calls by name: :doc:`/gallery/10_autograd/custom_operators`. If torch has the function, call that
# instead.


class TorchSine(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x)


program = torch.export.export(TorchSine(), arguments, strict=False)
print([str(node.target) for node in program.graph.nodes if node.op == "call_function"])
# => ['aten.sin.default']

# %%
# With ``strict=True`` this model does not work: the exported program returns one of the fake
# tensors that it was traced with. They have a shape and no values.

print(type(torch.export.export(scale, arguments, strict=True).module()(*arguments)).__name__)
# => FakeTensor
