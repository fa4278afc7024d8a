"""
Read-only float64 memory map to a float32 tensor on the GPU
===========================================================

``torch.tensor(rows, dtype=torch.float32).to("cuda")`` copies the rows once on the CPU, without a
warning, and then to the GPU.
"""

# sphinx_gallery_tags = ["memmap", "read-only", "dtype", "copy", "warning"]

import pathlib
import tempfile

import numpy as np
import torch

# %%
# This file holds ``float64``, and mode ``r`` makes the array read-only.

folder = tempfile.TemporaryDirectory()
path = pathlib.Path(folder.name, "rows.npy")
np.save(path, np.ones((1000, 4)))
mapped = np.load(path, mmap_mode="r")
print(mapped.dtype, mapped.flags.writeable)
# => float64 False

# %%
# Take the rows of a batch and copy them with :func:`torch.tensor`. It reads these rows of the file,
# casts them, and does not warn, because the result has its own memory.

rows = mapped[:2]
batch = torch.tensor(rows, dtype=torch.float32)
print(batch.dtype, np.shares_memory(rows, batch.numpy()))
# => torch.float32 False

# %%
# The first three steps do it. The other rows stand for one of them: each says which.
#
# .. list-table::
#    :header-rows: 1
#
#    * - Step
#      - Copies
#      - Warns
#      - Waits
#    * - ``np.load(path, mmap_mode="r")``
#      - no
#      - no
#      - no
#    * - ``torch.tensor(rows, dtype=torch.float32)``
#      - yes
#      - no
#      - for the file
#    * - ``batch.to("cuda")``
#      - yes
#      - no
#      - for the copy
#    * - For the second: ``torch.from_numpy(rows).to(torch.float32)``
#      - yes
#      - **yes**
#      - for the file
#    * - For the third: ``batch.pin_memory()``
#      - yes
#      - no
#      - for the copy
#    * - then ``pinned.to("cuda", non_blocking=True)``
#      - yes
#      - no
#      - no
#
# The rows with ``"cuda"`` or ``pin_memory`` need a GPU, and pages of their own show them as they ran on
# one: :doc:`/gallery/07_cuda/create_on_gpu`, :doc:`/gallery/07_cuda/pinned_memory` and
# :doc:`/gallery/07_cuda/pending_upload`.
#
# Cast before the transfer: the batch then has half as many bytes as the rows.

print(rows.nbytes, batch.nbytes)
# => 64 32

# %%
# :func:`torch.from_numpy` shares the read-only memory and warns. So does :func:`torch.as_tensor`,
# even with a dtype for which it copies.

view = torch.from_numpy(rows)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
print(np.shares_memory(rows, view.numpy()))
# => True

# %%
# The cast of ``view`` copies as well: one copy either way, and the warning on top.

cast = view.to(torch.float32)
print(np.shares_memory(rows, cast.numpy()))
# => False

# %%
# In a ``DataLoader``, open the file in each worker: :doc:`/gallery/11_data/mapped_datasets`.

folder.cleanup()
