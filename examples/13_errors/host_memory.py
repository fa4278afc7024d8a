"""
RuntimeError: … DefaultCPUAllocator: can't allocate memory
==========================================================

The tensor does not fit into the machine's memory: share the array instead of copying it, use
``float32``, or leave the data in its file.

.. fix::

   - torch.tensor(array)
   + tensor = torch.from_numpy(array)
"""

# sphinx_gallery_tags = ["memory", "copy", "sharing", "error"]

import numpy as np
import torch

# %%
# The error
# ---------
#
# The message has the number of bytes of this one tensor. The array below stands for one that fills
# the memory: it has 2**47 numbers, in the same eight bytes. A copy needs memory for each of them.

array = np.lib.stride_tricks.as_strided(np.ones(1), shape=(2**47,), strides=(0,))
try:
    torch.tensor(array)
except RuntimeError as error:
    print(str(error).partition("err == 0. ")[2])
# => DefaultCPUAllocator: can't allocate memory: you tried to allocate 1125899906842624 bytes. Error code 12 (Cannot allocate memory)

# %%
# NumPy raises a ``MemoryError`` instead.

try:
    array.copy()
except MemoryError as error:
    print(error)
# => Unable to allocate 1.00 PiB for an array with shape (140737488355328,) and data type float64

# %%
# If the number of bytes surprises you, look at the shapes. Here (n, 1) and (n,) make a table of n by n:
# :doc:`/gallery/13_errors/target_size`.

column, row = torch.ones(2**25, 1, dtype=torch.uint8), torch.ones(2**25, dtype=torch.uint8)
try:
    column + row
except RuntimeError as error:
    print(str(error).partition("err == 0. ")[2])
# => DefaultCPUAllocator: can't allocate memory: you tried to allocate 1125899906842624 bytes. Error code 12 (Cannot allocate memory)

# %%
# The fix
# -------
#
# :func:`torch.from_numpy` shares the memory. :doc:`/gallery/01_numpy_to_tensor/four_constructors`
# shows which calls copy.

tensor = torch.from_numpy(array)
print(tensor.shape)
# => torch.Size([140737488355328])

# %%
# ``float32`` takes half the memory of NumPy's default, if the data is made or read in it.

print(np.ones(1000).nbytes, np.ones(1000, dtype=np.float32).nbytes)
# => 8000 4000

# %%
# Data that is larger than the memory can stay in its file: :doc:`/gallery/04_layout/memory_maps`. In a
# data loader, open the file in each worker: :doc:`/gallery/11_data/mapped_datasets`.

# %%
# What does not help
# ------------------
#
# Casting at the end: ``as_tensor`` with another dtype makes a copy of the whole array. Cast part by part
# instead.

try:
    torch.as_tensor(array, dtype=torch.float32)
except RuntimeError as error:
    print(str(error).partition("err == 0. ")[2].split(":")[0])
# => DefaultCPUAllocator
print(torch.as_tensor(array[:4], dtype=torch.float32))
# => tensor([1., 1., 1., 1.])
