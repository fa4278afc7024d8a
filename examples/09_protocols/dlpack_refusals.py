"""
What np.from_dlpack refuses: BufferError
========================================

``np.from_dlpack`` raises ``BufferError`` (older releases: ``RuntimeError``) for tensors that
require grad, are conjugated, sparse, ``bfloat16`` or on the meta device; ``detach``,
``resolve_conj``, ``to_dense`` and ``float`` fix all but the last.
"""

# sphinx_gallery_tags = ["dlpack", "dtype", "error"]

import numpy as np
import torch

# %%
# A DLPack capsule holds an address, a shape, strides, a dtype and a device. torch `raises if the
# export would lose the gradient <https://github.com/pytorch/pytorch/pull/57110>`__. Before 2.9 the
# error was a ``RuntimeError`` (`change <https://github.com/pytorch/pytorch/pull/150691>`__), so
# this page catches both classes.

weights = torch.ones(2, requires_grad=True)
try:
    np.from_dlpack(weights)
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Can't export tensors that require gradient, use tensor.detach()

# %%
# The conjugate bit of a complex tensor would be lost as well, and the imaginary parts would have
# the wrong sign. The negative bit does not raise, although it is lost:
# :doc:`/gallery/09_protocols/negative_bit`.

signal = torch.tensor([1 + 2j])
try:
    np.from_dlpack(signal.conj())
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Can't export tensors with the conjugate bit set

# %%
# A sparse tensor does not have the strided layout, and a meta tensor has no memory.

try:
    np.from_dlpack(torch.eye(2).to_sparse())
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Can't export tensors with layout other than torch.strided
try:
    np.from_dlpack(torch.ones(2, device="meta"))
except (BufferError, RuntimeError, ValueError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Cannot pack tensors on meta

# %%
# Three of these four tensors can be converted first: ``detach`` shares memory, ``resolve_conj`` and
# ``to_dense`` copy. A meta tensor has no values to export.

print(np.from_dlpack(weights.detach()))
# => [1. 1.]
print(np.from_dlpack(signal.conj().resolve_conj()))
# => [1.-2.j]
print(np.from_dlpack(torch.eye(2).to_sparse().to_dense()))
# => [[1. 0.]
# =>  [0. 1.]]

# %%
# For ``bfloat16`` the error comes from NumPy: DLPack and torch have the dtype, but NumPy does not.
# Catch both ``BufferError`` and ``RuntimeError``: `NumPy changed the class in 2.5
# <https://github.com/numpy/numpy/pull/31000>`__.

narrow = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
try:
    np.from_dlpack(narrow)
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Unsupported dtype in DLTensor.

# %%
# Libraries that have ``bfloat16`` import the same tensor: torch itself, or JAX as in
# :doc:`/gallery/09_protocols/jax_arrays`. For NumPy, convert it to ``float32`` as in
# :doc:`/gallery/13_errors/bfloat16`, or register a dtype for it:
# :doc:`/gallery/09_protocols/registered_dtypes`.

print(torch.from_dlpack(narrow))
# => tensor([ 1.5000, -2.0000], dtype=torch.bfloat16)
print(np.from_dlpack(narrow.float()))
# => [ 1.5 -2. ]

# %%
# A broadcast tensor is exported with its zero strides, so the elements of the array share one place
# in memory. For the other direction see :doc:`/gallery/04_layout/layouts_through_dlpack`.

print(np.from_dlpack(torch.ones(1).expand(3)).strides)
# => (0,)
