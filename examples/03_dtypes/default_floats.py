"""
float64 in NumPy, float32 in torch: the default float
=====================================================

NumPy stores Python floats as ``float64``, ``torch.tensor`` as ``float32``, and ``from_numpy`` keeps
the dtype. Convert arrays with ``astype(np.float32)`` once; ``torch.set_default_dtype`` does not
convert them in ``from_numpy``, ``tensor`` or ``as_tensor``.
"""

# sphinx_gallery_tags = ["dtype"]

import numpy as np
import torch

# %%
# The same numbers are ``float64`` in NumPy and ``float32`` in torch. ``from_numpy`` keeps the
# dtype, so one program can end up with tensors of both.

array = np.array([0.5, 1.5])
tensor = torch.tensor([0.5, 1.5])
shared = torch.from_numpy(array)
print(array.dtype, tensor.dtype, shared.dtype)
# => float64 torch.float32 torch.float64

# %%
# Adding the two gives ``float64``.

print((tensor + shared).dtype)
# => torch.float64

# %%
# This linear layer does not promote dtypes: it multiplies matrices of one dtype and raises for two.
# See :doc:`/gallery/13_errors/matmul_dtype`.

layer = torch.nn.Linear(2, 1)
try:
    layer(shared)
except RuntimeError as error:
    print(error)
# => mat1 and mat2 must have the same dtype, but got Double and Float

# %%
# Convert the data to ``float32`` once, where you load it. If you convert the array, the tensor can
# share the result; if you convert the tensor, that is a copy too. Both give the same values.

narrow = array.astype(np.float32)
print(torch.equal(torch.from_numpy(narrow), shared.float()))
# => True
print(np.shares_memory(torch.from_numpy(narrow).numpy(), narrow))
# => True

# %%
# The generator methods ``random`` and ``standard_normal`` can produce ``float32`` directly.

print(np.random.default_rng(0).random(2, dtype=np.float32).dtype)
# => float32

# %%
# :func:`torch.set_default_dtype` `sets the dtype of Python floats
# <https://docs.pytorch.org/docs/stable/generated/torch.set_default_dtype.html>`__. It applies to
# lists of Python floats and to the parameters of new layers.

torch.set_default_dtype(torch.float64)
print(torch.tensor([0.5, 1.5]).dtype, torch.nn.Linear(2, 1).weight.dtype)
# => torch.float64 torch.float64

# %%
# It does not apply to the array in these calls, which keeps its dtype.

print(torch.from_numpy(narrow).dtype, torch.tensor(narrow).dtype, torch.as_tensor(narrow).dtype)
# => torch.float32 torch.float32 torch.float32

# %%
# Existing tensors and layers keep their dtype too: the layer above still has ``float32`` weights.
# But the legacy constructor ``torch.Tensor`` converts an array to the default.

print(layer.weight.dtype, torch.Tensor(narrow).dtype)
# => torch.float32 torch.float64
torch.set_default_dtype(torch.float32)
print(torch.Tensor(narrow).dtype)
# => torch.float32
