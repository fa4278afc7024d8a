"""
float64 in NumPy, float32 in torch: the default float
=====================================================

NumPy makes ``float64`` of Python floats and torch makes ``float32``, and conversions keep the
dtype. Convert arrays with ``astype(np.float32)`` once; ``torch.set_default_dtype`` never narrows an
array.
"""

# sphinx_gallery_tags = ["dtype"]

import numpy as np
import torch

# %%
# The same numbers are doubles in NumPy and singles in torch. A conversion keeps what it finds, so
# tensors of both kinds meet in one program.

array = np.array([0.5, 1.5])
tensor = torch.tensor([0.5, 1.5])
shared = torch.from_numpy(array)
print(array.dtype, tensor.dtype, shared.dtype)
# => float64 torch.float32 torch.float64

# %%
# Arithmetic between them gives the wider dtype, and all that is computed from the result has it
# too.

print((tensor + shared).dtype)
# => torch.float64

# %%
# A layer of a model does not promote. It multiplies matrices of one dtype, and fails:
# :doc:`/gallery/13_errors/matmul_dtype`.

layer = torch.nn.Linear(2, 1)
try:
    layer(shared)
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Double and Float

# %%
# Narrow the data once, where it enters. In NumPy the narrow array can still be shared; in torch
# the conversion is a copy. Both round in the same way.

narrow = array.astype(np.float32)
print(torch.equal(torch.from_numpy(narrow), shared.float()))
# => True
print(np.shares_memory(torch.from_numpy(narrow).numpy(), narrow))
# => True

# %%
# A generator can draw singles from the start.

print(np.random.default_rng(0).random(2, dtype=np.float32).dtype)
# => float32

# %%
# :func:`torch.set_default_dtype` `governs Python numbers
# <https://docs.pytorch.org/docs/stable/generated/torch.set_default_dtype.html>`__: what a list of
# floats becomes, and the parameters of layers made from now on.

torch.set_default_dtype(torch.float64)
print(torch.tensor([0.5, 1.5]).dtype, torch.nn.Linear(2, 1).weight.dtype)
# => torch.float64 torch.float64

# %%
# Arrays have a dtype of their own, and keep it. So the setting makes torch meet the doubles of
# NumPy, but never narrows an array.

print(torch.from_numpy(narrow).dtype, torch.tensor(narrow).dtype, torch.as_tensor(narrow).dtype)
# => torch.float32 torch.float32 torch.float32

# %%
# What exists already keeps its dtype too: the layer from above still wants singles. The legacy
# constructor does follow the setting, whatever the array is.

print(layer.weight.dtype, torch.Tensor(narrow).dtype)
# => torch.float32 torch.float64
torch.set_default_dtype(torch.float32)
print(torch.Tensor(narrow).dtype)
# => torch.float32
