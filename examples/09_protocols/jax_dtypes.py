"""
torch tensor to JAX: 64-bit dtypes become 32-bit
================================================

By default JAX converts 64-bit values to 32 bits on import, and large integers wrap around without
an error: check their range, or set ``jax_enable_x64`` before the first array.
"""

# sphinx_gallery_tags = ["jax", "dlpack", "dtype", "silent"]

import jax
import jax.numpy as jnp
import numpy as np
import torch

# %%
# By default `JAX converts 64-bit numbers to 32 bits
# <https://docs.jax.dev/en/latest/default_dtypes.html>`__, imported ones included. An import that
# changes the dtype copies.

precise = torch.tensor([0.1, 0.2], dtype=torch.float64)
imported = jnp.from_dlpack(precise)
print(imported.dtype)
# => float32
precise[0] = 9
print(imported)
# => [0.1 0.2]

# %%
# Large integers of a tensor or an array do not become less precise: they wrap around, without an
# error. Take care with indices and identifiers, which are ``int64`` in torch by default.

identifiers = torch.tensor([7, 2**40 + 1])
print(jnp.from_dlpack(identifiers))
# => [7 1]
print(jnp.asarray(identifiers.numpy()))
# => [7 1]

# %%
# Check the range before the import, as here for identifiers that are not negative, or convert in
# torch, where the conversion is visible.

limit = torch.iinfo(torch.int32).max
print(bool((identifiers.abs() <= limit).all()))
# => False

# %%
# ``bfloat16`` works in both directions, because DLPack and both libraries have it.

narrow = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
there = jnp.from_dlpack(narrow)
back = torch.from_dlpack(there)
print(there.dtype, back.dtype, torch.equal(back, narrow))
# => bfloat16 torch.bfloat16 True

# %%
# Through NumPy it does not work: the array has a ``bfloat16`` dtype that JAX adds to NumPy and that
# torch does not support.

try:
    torch.from_numpy(np.array(there))
except TypeError as error:
    print(str(error).partition(". The")[0])
# => can't convert np.ndarray of type ml_dtypes.bfloat16

# %%
# A tensor that requires gradients raises when it is exported, because the export would lose the
# gradient. Call ``detach`` if you do not need it.

weights = torch.ones(2, requires_grad=True)
try:
    jnp.from_dlpack(weights)
except (BufferError, RuntimeError) as error:
    print(error)
# => Can't export tensors that require gradient, use tensor.detach()
print(jnp.from_dlpack(weights.detach()))
# => [1. 1.]

# %%
# With 64 bits enabled, the values are kept. The setting applies to the whole program, so set it
# before you create the first array. This page sets it last, to show the default first.

jax.config.update("jax_enable_x64", True)
print(jnp.from_dlpack(identifiers), jnp.from_dlpack(precise).dtype)
# => [            7 1099511627777] float64
