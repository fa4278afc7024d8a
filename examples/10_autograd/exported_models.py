"""
torch.export of a model that calls numpy()
==========================================

``torch.export.export`` with ``strict=True`` translates NumPy calls into torch operations; with the
default, ``strict=False``, a model that calls ``numpy()`` on its input raises ``RuntimeError``.
"""

# sphinx_gallery_tags = ["export", "error"]

import numpy as np
import torch

# %%
# A model with NumPy in the middle.


class Sine(torch.nn.Module):
    def forward(self, x):
        return torch.from_numpy(np.sin(x.numpy()))


model = Sine()
arguments = (torch.zeros(2),)

# %%
# With ``strict=False``, `the default by now <https://github.com/pytorch/pytorch/pull/148790>`__,
# :func:`torch.export.export` runs the model in Python on tensors without values. Those are of a
# subclass of :class:`torch.Tensor`, and ``numpy()`` refuses subclasses; `issue 148779
# <https://github.com/pytorch/pytorch/issues/148779>`__ asks for more.

try:
    torch.export.export(model, arguments, strict=False)
except RuntimeError as error:
    print(error)
# => .numpy() is not supported for tensor subclasses.

# %%
# With ``strict=True`` the compiler's front end reads the code instead and translates the NumPy
# calls, as in :doc:`/gallery/10_autograd/compiled_functions`. The exported program contains
# torch's sine.

program = torch.export.export(model, arguments, strict=True)
names = [str(node.target) for node in program.graph.nodes]
print("aten.sin.default" in names)
# => True

# %%
# It computes from its input: the values of the example arguments were not frozen.

exported = program.module()
print(torch.allclose(exported(torch.ones(2)), torch.sin(torch.ones(2))))
# => True

# %%
# An array that does not depend on the input is exported as a constant. That is no snapshot: the
# program keeps a tensor on the memory of the array, and a later change reaches it.


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
# With a copy of the array in the model the program is independent of what happens later.

scale = Scale(factors.copy())
exported = torch.export.export(scale, (torch.ones(2),), strict=False).module()
factors[:] = 0
print(exported(torch.ones(2)))
# => tensor([200., 200.])

# %%
# NumPy code that is not translated needs an operator around it, which the program then calls by
# name: :doc:`/gallery/10_autograd/custom_operators`. Where torch has the function, calling it is
# simplest.


class TorchSine(torch.nn.Module):
    def forward(self, x):
        return torch.sin(x)


program = torch.export.export(TorchSine(), arguments, strict=False)
print([str(node.target) for node in program.graph.nodes if node.op == "call_function"])
# => ['aten.sin.default']

# %%
# What does not help is ``strict=True`` where an array is such a constant: the program then holds, and
# returns, one of the fake tensors that it was traced with. They have a shape and no values.

strict = torch.export.export(scale, (torch.ones(2),), strict=True).module()
print(type(strict(torch.ones(2))).__name__)
# => FakeTensor
