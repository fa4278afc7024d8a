"""
JAX array on the GPU to a CUDA tensor and back, without a copy
==============================================================

``torch.from_dlpack(jax_array)`` and ``jnp.from_dlpack(tensor)`` share GPU memory. ``np.asarray``
copies a JAX array from there to the CPU, and JAX keeps that copy.
"""

# sphinx_gallery_tags = ["cuda", "jax", "dlpack", "sharing", "error"]

import os

# JAX reserves most of the GPU's memory at its first use, unless this is set before the import.
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"

import jax
import jax.numpy as jnp
import numpy as np
import torch

# %%
# JAX's package for CUDA puts arrays on the GPU. DLPack passes the memory to torch as it is.

values = jnp.arange(4.0)
tensor = torch.from_dlpack(values)
print(values.device, tensor.device)
# => cuda:0 cuda:0
print(tensor.data_ptr() == values.unsafe_buffer_pointer())
# => True

# %%
# The way back shares memory as well.

weights = torch.zeros(4, device="cuda")
imported = jnp.from_dlpack(weights)
print(imported.device, imported.unsafe_buffer_pointer() == weights.data_ptr())
# => cuda:0 True

# %%
# A JAX array is immutable, but an in-place operation on the tensor changes its memory. Afterwards
# the array seems to have two sets of values: ``np.asarray`` copied it to the CPU before the write
# and JAX shows that copy again, while a compiled function reads the GPU. ``clone`` the tensor
# before you write to it.

copied = np.asarray(values)
tensor[0] = 70
torch.cuda.synchronize()
print(values, jax.jit(jnp.sum)(values))
# => [0. 1. 2. 3.] 76.0

# %%
# A CPU tensor stays on the CPU. ``jax.device_put`` moves it to the GPU, which copies.

on_cpu = jnp.from_dlpack(torch.ones(2))
print(on_cpu.device, jax.device_put(on_cpu, jax.devices("gpu")[0]).device)
# => cpu:0 cuda:0

# %%
# :func:`torch.as_tensor` and :func:`torch.tensor` read the CUDA array interface, which marks a JAX
# array as read-only, and torch refuses that.

for convert in (torch.as_tensor, torch.tensor):
    try:
        convert(values)
    except TypeError as error:
        print(error)
# => the read only flag is not supported, should always be False
# => the read only flag is not supported, should always be False

# %%
# :func:`torch.from_numpy` refuses too. Through NumPy the values are copied to the CPU.

try:
    torch.from_numpy(values)
except TypeError as error:
    print(error)
# => expected np.ndarray (got jaxlib._jax.ArrayImpl)
print(torch.from_numpy(np.array(values)).device)
# => cpu
