"""
TracerArrayConversionError: The numpy.ndarray conversion method …
=================================================================

Inside ``jax.jit``, ``vmap`` and ``grad`` the arguments are tracers, which NumPy and torch cannot read as arrays:
use ``jax.numpy`` there, or convert outside.

.. fix::

   - jax.jit(lambda x: np.linalg.norm(x))(x)
   + jax.jit(lambda x: jnp.linalg.norm(x))(x)
   + jax.jit(lambda i: jnp.asarray(table)[i])(1)
"""

# sphinx_gallery_tags = ["jax", "compile", "error"]

import jax
import jax.numpy as jnp
import numpy as np
import torch

# %%
# The error
# ---------
#
# ``jit`` calls the function with tracers, which stand for arrays of a shape and a dtype. ``np.linalg.norm`` asks the
# tracer for its values by ``__array__``, and so do many functions of NumPy.

x = jnp.ones(3)
try:
    jax.jit(lambda x: np.linalg.norm(x))(x)
except jax.errors.TracerArrayConversionError as error:
    print(str(error).splitlines()[0])
# => The numpy.ndarray conversion method __array__() was called on traced array with shape float32[3]

# %%
# Indexing a NumPy array with a tracer asks for it, too.

table = np.arange(3.0)
try:
    jax.jit(lambda i: table[i])(jnp.array([1]))
except jax.errors.TracerArrayConversionError as error:
    print(str(error).splitlines()[0])
# => The numpy.ndarray conversion method __array__() was called on traced array with shape int32[1]

# %%
# So does the way to torch through NumPy.

try:
    jax.jit(lambda x: torch.from_numpy(np.asarray(x)))(x)
except jax.errors.TracerArrayConversionError as error:
    print(str(error).splitlines()[0])
# => The numpy.ndarray conversion method __array__() was called on traced array with shape float32[3]

# %%
# Under ``jit``, a Python number or a truth value of a tracer raises errors of other classes, for the same reason.

try:
    jax.jit(lambda x: float(x.sum()))(x)
except jax.errors.ConcretizationTypeError as error:
    print(str(error).splitlines()[0])
# => Abstract tracer value encountered where concrete value is expected: traced array with shape float32[]
try:
    jax.jit(lambda x: x if x.sum() > 0 else -x)(x)
except jax.errors.TracerBoolConversionError as error:
    print(str(error).splitlines()[0])
# => Attempted boolean conversion of traced array with shape bool[].

# %%
# The fix
# -------
#
# ``jax.numpy`` has most of NumPy's functions. Make a JAX array of a table before you index it.

print(jax.jit(lambda x: jnp.linalg.norm(x))(x))
# => 1.7320508
print(jax.jit(lambda i: jnp.asarray(table)[i])(1))
# => 1.0

# %%
# Write a choice by value as ``jnp.where``, and give a number that decides a shape as a static argument.

print(jax.jit(lambda x: jnp.where(x.sum() > 0, x, -x))(x))
# => [1. 1. 1.]
print(jax.jit(lambda n: jnp.zeros(n), static_argnums=0)(2))
# => [0. 0.]

# %%
# Convert to torch after the call. Outside, the array has its values.

result = jax.jit(lambda x: x * 2)(x)
print(torch.from_dlpack(result))
# => tensor([2., 2., 2.])

# %%
# Code that has to stay NumPy can run as a callback, where no gradient is needed. Give JAX the shape and dtype of its
# result.

shape = jax.ShapeDtypeStruct((), np.float32)
norm = jax.jit(lambda x: jax.pure_callback(lambda v: np.float32(np.linalg.norm(v)), shape, x))
print(norm(x))
# => 1.7320508

# %%
# A tensor as an argument is no tracer, but ``jit`` cannot trace it. Convert it first.

try:
    jax.jit(lambda x: x * 2)(torch.ones(2))
except TypeError as error:
    print(str(error).split(" to ")[0])
# => Error interpreting argument
print(jax.jit(lambda x: x * 2)(jnp.from_dlpack(torch.ones(2))))
# => [2. 2.]

# %%
# What does not help
# ------------------
#
# ``jnp.asarray`` around the result of NumPy comes too late: NumPy has asked for the values before.

try:
    jax.jit(lambda x: jnp.asarray(np.sin(x)))(x)
except jax.errors.TracerArrayConversionError as error:
    print(type(error).__name__)
# => TracerArrayConversionError
