"""
A small slice keeps the whole tensor in memory
==============================================

A small slice keeps the whole tensor in memory, and ``torch.save`` writes it whole to the file. Call
``clone()`` on the slice, or ``copy()`` on its array, before you keep or save it.
"""

# sphinx_gallery_tags = ["lifetime", "storage", "copy", "files"]

import io

import numpy as np
import torch

# %%
# The whole storage stays alive, even if you use only a part of it. Three numbers from a large
# tensor keep the whole tensor in memory, because the ``base`` of the array is a tensor on that
# storage.

large = torch.zeros(2_000_000)
values = large[:3].numpy()
del large
print(values.nbytes)
# => 12

# %%
# So if you keep a slice of each batch in a list, you keep the batches in memory, which looks like a
# leak. Copy the slice instead.

kept = values.copy()
print(kept.base is None, kept.nbytes)
# => True 12

# %%
# The same happens when you save to a file. :func:`torch.save` writes whole storages, so that views
# `are still views <https://docs.pytorch.org/docs/stable/notes/serialization.html>`__ after loading.
# A slice is therefore saved with its whole storage.


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
# NumPy's own format stores the elements of the slice, not the whole storage.

buffer = io.BytesIO()
np.save(buffer, part.numpy())
print(buffer.tell() < 1_000)
# => True

# %%
# The storage of a tensor from :func:`torch.from_numpy` covers the bytes from its first to its last
# element. The slice below is therefore small in a file, although it keeps the whole array in
# memory.

array = np.zeros(2_000_000)
sliced = torch.from_numpy(array[:3])
print(saved_bytes(sliced) < 10_000)
# => True
print(np.shares_memory(sliced.numpy(), array))
# => True

# %%
# The elements of this column are spread over the whole matrix. From the first to the last is almost
# the whole matrix, so the file is almost as large.

column = torch.from_numpy(array.reshape(1000, 2000)[:, 0])
print(column.shape)
# => torch.Size([1000])
print(saved_bytes(column) > 15_000_000)
# => True
print(saved_bytes(column.clone()) < 20_000)
# => True

# %%
# If memory does not shrink, look at the size of the storage. For ``sliced``, made from an array, it
# does not count the rest of the array.

print(values.base.untyped_storage().nbytes(), part.untyped_storage().nbytes())
# => 8000000 8000000
print(sliced.untyped_storage().nbytes(), column.untyped_storage().nbytes())
# => 24 15984008
