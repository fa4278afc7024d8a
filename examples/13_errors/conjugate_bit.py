"""
RuntimeError: Can't call numpy() on Tensor that has conjugate bit set
=====================================================================

``conj()`` of a dense complex tensor flips a bit that an array does not have, and leaves the memory
as it is: call ``resolve_conj()`` first.

.. fix::

   - conjugate.numpy()
   + conjugate.resolve_conj().numpy()

For a tensor with the negative bit set call ``resolve_neg()``; ``numpy(force=True)`` resolves both.
"""

# sphinx_gallery_tags = ["complex", "dlpack", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# :func:`torch.conj` `sets a bit and leaves the values
# <https://docs.pytorch.org/docs/stable/generated/torch.conj.html>`__. The imaginary part of the
# result has a negative bit in the same way. An array does not have these bits, so on the same
# memory it would have the wrong signs.

signal = torch.tensor([1 + 2j, 3 - 1j])
conjugate = signal.conj()
try:
    conjugate.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.
try:
    conjugate.imag.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.

# %%
# The fix
# -------
#
# :meth:`torch.Tensor.resolve_conj` and :meth:`torch.Tensor.resolve_neg` compute the values. Each
# copies if the bit is set, and otherwise returns the tensor itself.

print(conjugate.resolve_conj().numpy())
# => [1.-2.j 3.+1.j]
print(conjugate.imag.resolve_neg().numpy())
# => [-2.  1.]

# %%
# ``numpy(force=True)`` resolves both bits. The array then does not share memory with the tensor.

array = conjugate.numpy(force=True)
array[0] = 0
print(conjugate)
# => tensor([1.-2.j, 3.+1.j])

# %%
# The adjoint ``mH`` of this complex matrix has the conjugate bit too. :meth:`torch.Tensor.is_conj` and
# :meth:`torch.Tensor.is_neg` tell you whether a bit is set.

print(torch.eye(2, dtype=torch.complex64).mH.is_conj(), conjugate.imag.is_neg())
# => True True

# %%
# What does not help
# ------------------
#
# ``detach()`` keeps the bit, and so does ``contiguous()`` for a tensor that is contiguous already.

for still_lazy in (conjugate.contiguous(), conjugate.detach()):
    try:
        still_lazy.numpy()
    except RuntimeError as error:
        print(error)
# => Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.
# => Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.

# %%
# DLPack raises for the conjugate bit too: ``BufferError`` `since 2.9
# <https://github.com/pytorch/pytorch/pull/150691>`__, ``RuntimeError`` before.

try:
    np.from_dlpack(conjugate)
except (BufferError, RuntimeError) as error:
    print(error)
# => Can't export tensors with the conjugate bit set

# %%
# DLPack does not check the negative bit: this export succeeds, and the signs are wrong
# (:doc:`/gallery/09_protocols/negative_bit`).

print(conjugate.imag.tolist(), np.from_dlpack(conjugate.imag).tolist())
# => [-2.0, 1.0] [2.0, -1.0]
