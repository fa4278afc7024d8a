"""
DLPack loses the sign of conj().imag
====================================

``np.from_dlpack(signal.conj().imag)`` drops the negative bit of this view, so its values arrive
with the wrong sign: call ``resolve_neg()`` before the export.
"""

# sphinx_gallery_tags = ["dlpack", "complex", "silent"]

import numpy as np
import torch

# %%
# The imaginary part of a conjugated tensor is a view with a `negative bit
# <https://docs.pytorch.org/docs/stable/generated/torch.resolve_neg.html>`__: the memory keeps the
# original numbers, and torch changes the sign when it reads them.

signal = torch.tensor([1 + 2j, 3 - 4j])
imaginary = signal.conj().imag
print(imaginary, imaginary.is_neg())
# => tensor([-2.,  4.]) True

# %%
# DLPack does not transfer that bit, and the export does not check for it. The values arrive with
# the opposite sign, without an error or a warning.

print(np.from_dlpack(imaginary))
# => [ 2. -4.]
print(torch.from_dlpack(imaginary))
# => tensor([ 2., -4.])

# %%
# :meth:`torch.Tensor.numpy` does check for it. If code stops raising after a switch to DLPack, it
# may now return wrong signs.

try:
    imaginary.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.

# %%
# Both libraries now read the same memory and get different values. NumPy's sum is wrong too.

print(imaginary.sum().item(), np.from_dlpack(imaginary).sum())
# => 2.0 -2.0

# %%
# :meth:`torch.Tensor.resolve_neg` writes the values with the right sign into new memory. If the bit
# is not set, it returns the tensor itself instead of a copy. Passing ``copy=True`` to
# ``from_dlpack`` helps too, but copying after the import does not.

print(np.from_dlpack(imaginary.resolve_neg()))
# => [-2.  4.]
plain = torch.ones(2)
print(plain.resolve_neg() is plain)
# => True

# %%
# A clone, a sum and a cast to another dtype do not have the bit. A slice keeps it.

for derived in [imaginary.clone(), imaginary + 0, imaginary.double(), imaginary[:1]]:
    print(derived.is_neg(), np.from_dlpack(derived))
# => False [-2.  4.]
# => False [-2.  4.]
# => False [-2.  4.]
# => True [2.]

# %%
# Here the bit needs a conjugation *and* an imaginary part: ``imag`` alone does not set it, and
# neither does ``real`` after ``conj``.

print(signal.imag.is_neg(), signal.conj().real.is_neg())
# => False False
