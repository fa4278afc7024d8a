"""
DLPack loses the sign of conj().imag
====================================

DLPack drops the negative bit of a view such as ``signal.conj().imag``, so every value arrives with
the wrong sign; call ``resolve_neg()`` before the export.
"""

# sphinx_gallery_tags = ["dlpack", "complex", "silent"]

import numpy as np
import torch

# %%
# The imaginary part of a conjugated tensor is a view with a `negative bit
# <https://docs.pytorch.org/docs/stable/generated/torch.resolve_neg.html>`__: the memory holds the
# unchanged numbers, and torch changes the sign whenever it reads them.

signal = torch.tensor([1 + 2j, 3 - 4j])
imaginary = signal.conj().imag
print(imaginary, imaginary.is_neg())
# => tensor([-2.,  4.]) True

# %%
# A capsule has no place for that bit, and the export does not look at it. No error, no warning, and
# the opposite of every value.

print(np.from_dlpack(imaginary))
# => [ 2. -4.]
print(torch.from_dlpack(imaginary))
# => tensor([ 2., -4.])

# %%
# :meth:`torch.Tensor.numpy` does look. DLPack lacks this check: code that stops raising after a
# switch to DLPack has begun to return wrong signs.

try:
    imaginary.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.

# %%
# The two libraries now read one memory and disagree, and every result computed from it carries the
# error on.

print(imaginary.sum().item(), np.from_dlpack(imaginary).sum())
# => 2.0 -2.0

# %%
# :meth:`torch.Tensor.resolve_neg` writes the signs out into new memory if the bit is set, and
# otherwise returns the tensor itself. Code that exports tensors it did not make can always call it
# first.

print(np.from_dlpack(imaginary.resolve_neg()))
# => [-2.  4.]
plain = torch.ones(2)
print(plain.resolve_neg() is plain)
# => True

# %%
# Operations that compute new memory resolve the bit on the way. Views pass it on.

for derived in [imaginary.clone(), imaginary + 0, imaginary.double(), imaginary[:1]]:
    print(derived.is_neg(), np.from_dlpack(derived))
# => False [-2.  4.]
# => False [-2.  4.]
# => False [-2.  4.]
# => True [2.]

# %%
# The bit needs a conjugation *and* an imaginary part. Neither of the two alone sets it.

print(signal.imag.is_neg(), signal.conj().real.is_neg())
# => False False
