"""
TypeError: cannot assign 'numpy.ndarray' as parameter 'weight' …
================================================================

Parameters, optimizers and ``load_state_dict`` take tensors: convert the arrays with ``torch.from_numpy``, and
wrap a weight in ``nn.Parameter``.

.. fix::

   - layer.weight = array
   + layer.weight = torch.nn.Parameter(torch.from_numpy(array))
   + layer.load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()})
"""

# sphinx_gallery_tags = ["model", "state_dict", "optimizer", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# Weights that come from ``np.load``, from another framework or over the network are often arrays.

layer = torch.nn.Linear(2, 1)
array = np.ones((1, 2), dtype=np.float32)
try:
    layer.weight = array
except TypeError as error:
    print(error)
# => cannot assign 'numpy.ndarray' as parameter 'weight' (torch.nn.Parameter or None expected)

# %%
# A state dictionary of arrays raises while it is loaded: ``While copying the parameter named "weight", expected
# torch.Tensor or Tensor-like object from checkpoint but received <class 'numpy.ndarray'>``. Older releases end with
# ``('numpy.ndarray' object has no attribute 'copy_',)`` or the like.

arrays = {"weight": array, "bias": np.zeros(1, dtype=np.float32)}

# %%
# These calls want tensors as well.

try:
    torch.optim.SGD([array])
except TypeError as error:
    print(error)
# => optimizer can only optimize Tensors, but one of the params is numpy.ndarray
try:
    layer.register_buffer("mean", array)
except TypeError as error:
    print(error)
# => cannot assign 'numpy.ndarray' object to buffer 'mean' (torch Tensor or None required)
try:
    torch.nn.Parameter(array)
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'detach'
try:
    torch.nn.Embedding.from_pretrained(array)
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'dim'
try:
    layer.weight.data.copy_(array)
except TypeError as error:
    print(error)
# => copy_(): argument 'other' (position 1) must be Tensor, not numpy.ndarray

# %%
# The fix
# -------
#
# A parameter made with ``from_numpy`` shares the array: training writes into it, as long as the layer stays on the CPU
# in this dtype. ``torch.tensor`` copies.

layer.weight = torch.nn.Parameter(torch.from_numpy(array))
print(layer.weight.requires_grad)
# => True
print(layer.load_state_dict({name: torch.from_numpy(value) for name, value in arrays.items()}))
# => <All keys matched successfully>
layer.register_buffer("mean", torch.tensor(array))
print(torch.nn.Embedding.from_pretrained(torch.tensor(array)).weight.shape)
# => torch.Size([1, 2])

# %%
# ``copy_`` writes the values into the weight that the module has, so an optimizer that was made before keeps it.

with torch.no_grad():
    layer.weight.copy_(torch.from_numpy(array))
print(torch.optim.SGD(layer.parameters(), lr=0.1).param_groups[0]["params"][0] is layer.weight)
# => True

# %%
# A weight of integers raises without ``requires_grad=False``: gradients are for floats and complex numbers.

try:
    torch.nn.Parameter(torch.from_numpy(np.arange(3)))
except RuntimeError as error:
    print(error)
# => Only Tensors of floating point and complex dtype can require gradients
print(torch.nn.Parameter(torch.from_numpy(np.arange(3)).float()))
# => Parameter containing:
# => tensor([0., 1., 2.], requires_grad=True)

# %%
# What does not help
# ------------------
#
# Assigning a plain tensor to the name of a parameter raises, too.

try:
    layer.weight = torch.from_numpy(array)
except TypeError as error:
    print(error)
# => cannot assign 'torch.FloatTensor' as parameter 'weight' (torch.nn.Parameter or None expected)
