"""
numpy(force=True): does it copy?
================================

``numpy(force=True)`` does not force a copy: a plain CPU tensor still shares its memory with the
array, so copy the array before you write to it.
"""

# sphinx_gallery_tags = ["numpy", "sharing"]

import numpy as np
import torch

# %%
# The documentation of :meth:`torch.Tensor.numpy` `defines force=True
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.numpy.html>`__ as a chain of steps. A
# plain CPU tensor does not need them, so the array still shares its memory.

tensor = torch.tensor([0.5, 1.5, 2.5])
forced = tensor.numpy(force=True)
chained = tensor.detach().cpu().resolve_conj().resolve_neg().numpy()
print(np.shares_memory(forced, tensor.numpy()))
# => True
print(np.shares_memory(forced, chained))
# => True

# %%
# A write to the array therefore changes the tensor.

forced[0] = 100
print(tensor)
# => tensor([100.0000,   1.5000,   2.5000])

# %%
# The first step is ``detach``, so this tensor, which requires gradients, converts without an error.
# The array shares its memory, and autograd does not record the write.

weights = torch.ones(3, requires_grad=True)
weights.numpy(force=True)[1] = -1
print(weights)
# => tensor([ 1., -1.,  1.], requires_grad=True)

# %%
# The other steps copy if they have something to do. A conjugated view has the conjugate bit set, so
# ``resolve_conj`` writes new values and the original stays unchanged.

signal = torch.tensor([1 + 2j, 3 - 4j])
conjugated = signal.conj()
resolved = conjugated.numpy(force=True)
resolved[0] = 0
print(signal)
# => tensor([1.+2.j, 3.-4.j])
print(np.shares_memory(resolved, signal.numpy()))
# => False

# %%
# ``force`` does not convert dtypes that NumPy lacks, and it does not make sparse tensors dense.

try:
    torch.ones(2, dtype=torch.bfloat16).numpy(force=True)
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16
try:
    torch.eye(2).to_sparse().numpy(force=True)
except TypeError as error:
    print(error)
# => can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.

# %%
# If you need a copy, call ``copy()`` on the array.

owned = tensor.numpy(force=True).copy()
print(np.shares_memory(owned, tensor.numpy()))
# => False
