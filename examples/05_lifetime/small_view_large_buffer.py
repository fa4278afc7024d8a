"""
A small slice keeps the whole tensor in memory
==============================================

A small slice keeps the whole tensor in memory, and ``torch.save`` writes all of it to the file.
Call ``clone()`` on the slice, or ``copy()`` on its array, before you keep or save it.
"""

# sphinx_gallery_tags = ["lifetime", "storage", "copy", "files"]

import io

import numpy as np
import torch

# %%
# What lives on is the whole storage, whatever part of it is used. Three numbers taken from a large
# tensor keep all of it in memory, through the tensor in the ``base`` of the array.

large = torch.zeros(2_000_000)
values = large[:3].numpy()
del large
print(values.nbytes)
# => 12

# %%
# A list of such results is a common leak: one number kept of each batch keeps each batch. Copy what
# is kept.

kept = values.copy()
print(kept.base is None, kept.nbytes)
# => True 12

# %%
# The same holds on the way to the disk. :func:`torch.save` writes storages, so that views `stay
# views <https://docs.pytorch.org/docs/stable/notes/serialization.html>`__ in the file; a slice
# brings everything along.


def saved_bytes(thing):
    buffer = io.BytesIO()
    torch.save(thing, buffer)
    return buffer.tell()


part = torch.zeros(2_000_000)[:3]
print(saved_bytes(part) > 8_000_000)
# => True
print(saved_bytes(part.clone()) < 10_000)
# => True

# %%
# NumPy's own format holds the elements alone, and pickle of an array does as well.

buffer = io.BytesIO()
np.save(buffer, part.numpy())
print(buffer.tell() < 1_000)
# => True

# %%
# A tensor made from an array knows the bytes from its first element to its last, and no more. The
# slice of an array is therefore small in a file, although it keeps the whole array in memory.

array = np.zeros(2_000_000)
sliced = torch.from_numpy(array[:3])
print(saved_bytes(sliced) < 10_000)
# => True
print(np.shares_memory(sliced.numpy(), array))
# => True

# %%
# A column is spread over the memory of the matrix. Its range is almost all of it, and so is the
# file.

column = torch.from_numpy(array.reshape(1000, 2000)[:, 0])
print(column.shape)
# => torch.Size([1000])
print(saved_bytes(column) > 15_000_000)
# => True
print(saved_bytes(column.clone()) < 20_000)
# => True

# %%
# The size of the storage is the number to look at when memory does not go down.

print(values.base.untyped_storage().nbytes(), part.untyped_storage().nbytes())
# => 8000000 8000000
print(sliced.untyped_storage().nbytes(), column.untyped_storage().nbytes())
# => 24 15984008
