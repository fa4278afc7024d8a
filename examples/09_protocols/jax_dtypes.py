"""
torch tensor to JAX: 64-bit dtypes become 32-bit
================================================

JAX converts 64-bit values to 32 bits on import, and large integers wrap around without an error:
check their range, or set ``jax_enable_x64`` before the first array.
"""

# sphinx_gallery_tags = ["jax", "dlpack", "dtype", "silent"]

import jax
import jax.numpy as jnp
import numpy as np
import torch

# %%
# Unless told otherwise `JAX makes 32-bit numbers
# <https://docs.jax.dev/en/latest/default_dtypes.html>`__ of 64-bit ones. That holds for imports as
# well, and an import that changes the dtype cannot share memory.

precise = torch.tensor([0.1, 0.2], dtype=torch.float64)
imported = jnp.from_dlpack(precise)
print(imported.dtype)
# => float32
precise[0] = 9
print(imported)
# => [0.1 0.2]

# %%
# Integers do not lose digits but wrap around. Whole numbers, such as indices and identifiers, are
# ``int64`` in torch by default, and a large one becomes another number, with no error.

identifiers = torch.tensor([7, 2**40 + 1])
print(jnp.from_dlpack(identifiers))
# => [7 1]
print(jnp.asarray(identifiers.numpy()))
# => [7 1]

# %%
# Check the range before the step, or choose the dtype in torch, where it can be seen.

limit = torch.iinfo(torch.int32).max
print(bool((identifiers.abs() <= limit).all()))
# => False

# %%
# ``bfloat16`` crosses in both directions, since DLPack and both libraries have it.

narrow = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
there = jnp.from_dlpack(narrow)
back = torch.from_dlpack(there)
print(there.dtype, back.dtype, torch.equal(back, narrow))
# => bfloat16 torch.bfloat16 True

# %%
# By way of NumPy it does not. The array has a dtype that JAX brings along for NumPy, and torch
# does not know it.

try:
    torch.from_numpy(np.array(there))
except TypeError as error:
    print(str(error).partition(". The")[0])
# => can't convert np.ndarray of type ml_dtypes.bfloat16

# %%
# A tensor that requires gradients is refused by torch, whoever asks: the gradient would end at the
# border. ``detach`` says that this is meant.

weights = torch.ones(2, requires_grad=True)
try:
    jnp.from_dlpack(weights)
except (BufferError, RuntimeError) as error:
    print(error)
# => Can't export tensors that require gradient, use tensor.detach()
print(jnp.from_dlpack(weights.detach()))
# => [1. 1.]

# %%
# With 64 bits enabled the numbers survive. The setting holds for the whole program, so make it
# before the first array. It comes last here so that the page could show the default.

jax.config.update("jax_enable_x64", True)
print(jnp.from_dlpack(identifiers), jnp.from_dlpack(precise).dtype)
# => [            7 1099511627777] float64
