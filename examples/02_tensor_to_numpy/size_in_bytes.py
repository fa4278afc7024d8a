"""
How much memory a tensor or an array takes: nbytes
==================================================

``x.nbytes`` is the number of elements times the bytes of one, for dense tensors and arrays. A view
may keep more alive: for a tensor, ``x.untyped_storage().nbytes()``.
"""

# sphinx_gallery_tags = ["memory", "size", "bytes", "storage", "dtype", "files"]

import io
import sys

import numpy as np
import torch

# %%
# The dtype decides how large an element is.

tensor = torch.zeros(1000, 1000)
array = np.zeros((1000, 1000))
print(tensor.nbytes, array.nbytes)
# => 4000000 8000000
print(tensor.element_size(), array.itemsize, tensor.element_size() * tensor.numel())
# => 4 8 4000000

# %%
# This view has few elements and keeps the whole storage. ``clone`` takes what it needs.

view = tensor[:10]
print(view.nbytes, view.untyped_storage().nbytes(), view.clone().untyped_storage().nbytes())
# => 40000 4000000 40000

# %%
# ``torch.save`` writes the storage, so the file of a view is as large as that of the whole tensor. ``np.save``
# writes the elements.


def file_size(save, value):
    file = io.BytesIO()
    save(file, value)
    return len(file.getvalue())


def torch_save(file, value):
    torch.save(value, file)


print(file_size(torch_save, view) > 4_000_000, file_size(torch_save, view.clone()) < 100_000)
# => True True
print(file_size(np.save, view.numpy()) < 100_000)
# => True

# %%
# ``sys.getsizeof`` does not count the elements of a tensor, nor those of a view in NumPy. This list of
# different numbers takes more than four times the bytes of an ``int64`` array.

print(sys.getsizeof(tensor) < 1000, sys.getsizeof(array[:10]) < 1000)
# => True True
numbers = list(range(1000))
print(
    sum(map(sys.getsizeof, numbers)) + sys.getsizeof(numbers)
    > 4 * np.arange(1000, dtype=np.int64).nbytes
)
# => True

# %%
# For a model, add up the entries of its ``state_dict``: parameters and persistent buffers. In
# ``float16`` or ``bfloat16`` its ``float32`` numbers take half the bytes.

model = torch.nn.Linear(100, 10)
print(sum(value.nbytes for value in model.state_dict().values()))
# => 4040
print(sum(value.nbytes for value in model.half().state_dict().values()))
# => 2020

# %%
# An expanded tensor or a broadcast array reports more bytes than there are.

wide = torch.zeros(1).expand(1000)
print(wide.nbytes, wide.untyped_storage().nbytes())
# => 4000 4
