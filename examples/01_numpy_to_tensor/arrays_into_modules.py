"""
Load NumPy arrays into a model: load_state_dict
===============================================

Convert stored arrays to tensors for ``load_state_dict``, which copies them into the parameters;
with ``assign=True`` the parameters share the arrays' memory and take their dtype.
"""

# sphinx_gallery_tags = ["modules", "checkpoint", "sharing", "error"]

import numpy as np
import torch

# %%
# Assigning an array to a parameter raises: assign another parameter. Its ``data`` attribute accepts
# a tensor, but no array either.

stored = {"weight": np.array([[1.0, 2.0]]), "bias": np.array([0.5])}
layer = torch.nn.Linear(2, 1)
try:
    layer.weight = stored["weight"]
except TypeError as error:
    print(error)
# => cannot assign 'numpy.ndarray' as parameter 'weight' (torch.nn.Parameter or None expected)
try:
    layer.weight.data = stored["weight"]
except TypeError as error:
    print("but got numpy.ndarray" in str(error))
# => True

# %%
# Assigning an array to a *new* attribute works, but the attribute is not part of the module's
# ``state_dict``, not moved to a GPU and not trained. A buffer is moved and, by default, in the
# ``state_dict``. Make it from a tensor, because an array raises.

layer.scale = np.ones(2)
print(list(layer.state_dict()))
# => ['weight', 'bias']
try:
    layer.register_buffer("mean", np.ones(2))
except TypeError as error:
    print("torch Tensor or None required" in str(error))
# => True
layer.register_buffer("mean", torch.from_numpy(np.ones(2)))
print(list(layer.state_dict()))
# => ['weight', 'bias', 'mean']

# %%
# :meth:`torch.nn.Module.load_state_dict` does not accept arrays either. Its error names each
# parameter.

layer = torch.nn.Linear(2, 1)
try:
    layer.load_state_dict(stored)
except RuntimeError as error:
    print(str(error).splitlines()[1].strip())
# => While copying the parameter named "weight", expected torch.Tensor or Tensor-like object from checkpoint but received <class 'numpy.ndarray'>

# %%
# Convert every array in the dictionary first. ``load_state_dict`` then copies the values into the
# existing parameters and keeps the parameters' dtype.

tensors = {name: torch.from_numpy(array) for name, array in stored.items()}
layer.load_state_dict(tensors)
print(layer.weight.dtype, layer.weight.tolist())
# => torch.float32 [[1.0, 2.0]]

# %%
# Loading copied the values, so later changes to the arrays do not reach the layer.

stored["weight"] *= 100
print(layer.weight.tolist())
# => [[1.0, 2.0]]

# %%
# With ``assign=True``, which exists `since torch 2.1
# <https://github.com/pytorch/pytorch/pull/102212>`__, the tensors become the parameters without a
# copy. The layer then has their dtype and shares memory with the arrays: training writes into the
# arrays, and a write to an array changes the model.

layer.load_state_dict(tensors, assign=True)
stored["weight"][0, 0] = -1
print(layer.weight.dtype, layer.weight.tolist())
# => torch.float64 [[-1.0, 200.0]]

# %%
# If the layer must not share memory, or needs another dtype, make copies before assigning them.

owned = {name: torch.tensor(array, dtype=torch.float32) for name, array in stored.items()}
layer.load_state_dict(owned, assign=True)
stored["weight"][0, 0] = 7
print(layer.weight.dtype, layer.weight.tolist())
# => torch.float32 [[-1.0, 200.0]]
