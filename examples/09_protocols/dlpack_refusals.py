"""
What np.from_dlpack refuses: BufferError
========================================

``np.from_dlpack`` raises ``BufferError`` for tensors that require grad, are conjugated, sparse,
``bfloat16`` or on the meta device; ``detach``, ``resolve_conj``, ``to_dense`` and ``float`` fix
all but the last.
"""

# sphinx_gallery_tags = ["dlpack", "dtype", "error"]

import numpy as np
import torch

# %%
# A capsule holds an address, a shape, strides, a dtype and a device. The tensor itself `refuses
# whatever would be lost <https://github.com/pytorch/pytorch/pull/57110>`__ on the way, here the
# graph. Before 2.9 this was a ``RuntimeError`` (`change
# <https://github.com/pytorch/pytorch/pull/150691>`__), so both are caught.

weights = torch.ones(2, requires_grad=True)
try:
    np.from_dlpack(weights)
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Can't export tensors that require gradient, use tensor.detach()

# %%
# The conjugate bit of a complex tensor would be lost as well, and every imaginary part would have
# the wrong sign. The negative bit gets through: :doc:`/gallery/09_protocols/negative_bit`.

signal = torch.tensor([1 + 2j])
try:
    np.from_dlpack(signal.conj())
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Can't export tensors with the conjugate bit set

# %%
# Strides cannot describe a sparse tensor, and a meta tensor has no address.

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
# Three of the four have a remedy, and only the first of these shares memory. A meta tensor has no
# values to export.

print(np.from_dlpack(weights.detach()))
# => [1. 1.]
print(np.from_dlpack(signal.conj().resolve_conj()))
# => [1.-2.j]
print(np.from_dlpack(torch.eye(2).to_sparse().to_dense()))
# => [[1. 0.]
# =>  [0. 1.]]

# %%
# This refusal comes from NumPy. DLPack has ``bfloat16``, so torch exports it, but NumPy has no
# such dtype. Who catches it names two classes, as `NumPy changed its own in 2.5
# <https://github.com/numpy/numpy/pull/31000>`__.

narrow = torch.tensor([1.5, -2.0], dtype=torch.bfloat16)
try:
    np.from_dlpack(narrow)
except (BufferError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")
# => BufferError: Unsupported dtype in DLTensor.

# %%
# A library that does have the dtype takes the same capsule: torch itself, or JAX as in
# :doc:`/gallery/09_protocols/jax_arrays`. For NumPy widen it, see
# :doc:`/gallery/13_errors/bfloat16`, or tell NumPy what to make of it:
# :doc:`/gallery/09_protocols/registered_dtypes`.

print(torch.from_dlpack(narrow))
# => tensor([ 1.5000, -2.0000], dtype=torch.bfloat16)
print(np.from_dlpack(narrow.float()))
# => [ 1.5 -2. ]

# %%
# What loses nothing is not refused. A broadcast tensor crosses with its zero strides, which makes
# many elements of the array one and the same number. More of this, in the other direction:
# :doc:`/gallery/04_layout/layouts_through_dlpack`.

print(np.from_dlpack(torch.ones(1).expand(3)).strides)
# => (0,)
