"""
RuntimeError: Trying to resize storage that is not resizable
============================================================

In a ``DataLoader`` with workers, the samples of a batch differ in shape: pad them to one shape in a collate
function, or resize images in the dataset.

.. fix::

   - loader = DataLoader(samples, batch_size=2, num_workers=1, multiprocessing_context="fork")
   + DataLoader(samples, batch_size=2, collate_fn=pad_to_largest)

If there is no loader, an array or a buffer may share the tensor's memory: make a new tensor instead
of resizing this one.
"""

# sphinx_gallery_tags = ["dataloader", "resize", "storage", "collate", "error"]

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

# %%
# The error
# ---------
#
# PyTorch does not enlarge memory that ``numpy()`` has shared with an array
# (:doc:`/gallery/05_lifetime/locked_storage`). Discard the tensor after the error: it has the new
# shape without the memory for it.

tensor = torch.zeros(2)
array = tensor.numpy()
try:
    tensor.resize_(4)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable
print(tensor.shape)
# => torch.Size([4])

# %%
# A data loader with workers gives this error too. A worker allocates shared memory for the samples of
# a batch together, and `gives them the shape of the first
# <https://github.com/pytorch/pytorch/blob/main/torch/utils/data/_utils/collate.py>`__. If the first
# sample is larger than the average, the memory is too small, and the worker's message ends in this
# error.

samples = [np.zeros(3), np.zeros(2)]
loader = DataLoader(samples, batch_size=2, num_workers=1, multiprocessing_context="fork")
batches = iter(loader)
try:
    next(batches)
except RuntimeError as error:
    print(str(error).splitlines()[-1])
# => RuntimeError: Trying to resize storage that is not resizable

# %%
# In the other order the memory is large enough, and :func:`torch.stack` raises instead.

loader = DataLoader(samples[::-1], batch_size=2, num_workers=1, multiprocessing_context="fork")
batches = iter(loader)
try:
    next(batches)
except RuntimeError as error:
    print(str(error).splitlines()[-1].split(",")[0])
# => RuntimeError: stack expects each tensor to be equal size

# %%
# The fix
# -------
#
# Give the samples of a batch one shape. This collate function pads sequences, images or volumes with zeros, as
# far as the longest sample reaches along each axis.


def pad_to_largest(arrays):
    tensors = [torch.as_tensor(array) for array in arrays]
    shape = torch.tensor([tensor.shape for tensor in tensors]).amax(dim=0).tolist()
    batch = torch.zeros(len(tensors), *shape, dtype=tensors[0].dtype)
    for row, tensor in zip(batch, tensors):
        row[tuple(slice(length) for length in tensor.shape)] = tensor
    return batch


(batch,) = DataLoader(samples, batch_size=2, collate_fn=pad_to_largest)
print(batch.shape)
# => torch.Size([2, 3])
volumes = [np.ones((1, 4, 9, 7)), np.ones((1, 5, 6, 6))]
(batch,) = DataLoader(volumes, batch_size=2, collate_fn=pad_to_largest)
print(batch.shape, batch.sum())
# => torch.Size([2, 1, 5, 9, 7]) tensor(432., dtype=torch.float64)

# %%
# To see the shapes in the message, set ``num_workers=0``.

try:
    next(iter(DataLoader(samples, batch_size=2)))
except RuntimeError as error:
    print(error)
# => stack expects each tensor to be equal size, but got [3] at entry 0 and [2] at entry 1

# %%
# Resize or crop images in the dataset, where labels stay as they are. ``Resize((8, 8))``
# of torchvision does it too. ``Resize(8)`` does not: it sets the shorter side alone. If the number of
# channels differs, see :doc:`/gallery/13_errors/torchvision_normalize`.


class Resized(Dataset):
    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        image = torch.from_numpy(self.images[index])
        image = torch.nn.functional.interpolate(image[None], size=(8, 8))[0]
        return image, index


images = [np.zeros((3, 9, 7)), np.zeros((3, 6, 6))]
((batch, labels),) = DataLoader(Resized(images), batch_size=2)
print(batch.shape, labels)
# => torch.Size([2, 3, 8, 8]) tensor([0, 1])

# %%
# Pad sequences in a collate function. ``pad_sequence`` pads the first axis and expects the others to be
# equal.


def pad(arrays):
    tensors = [torch.as_tensor(array) for array in arrays]
    return torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)


sequences = [np.zeros((3, 5)), np.zeros((2, 5))]
(batch,) = DataLoader(sequences, batch_size=2, collate_fn=pad)
print(batch.shape)
# => torch.Size([2, 3, 5])

# %%
# If an array shares the memory, make a new tensor of the size that you want instead of resizing.

tensor = torch.zeros(2)
array = tensor.numpy()
larger = torch.cat([tensor, torch.zeros(2)])
print(larger.shape, array.shape)
# => torch.Size([4]) (2,)

# %%
# What does not help
# ------------------
#
# Deleting the array does not help: the memory stays locked.

del array
try:
    tensor.resize_(4)
except RuntimeError as error:
    print(error)
# => Trying to resize storage that is not resizable

# %%
# ``np.resize`` returns a copy, and the tensor keeps its size. The array's own ``resize`` raises or
# does worse (:doc:`/gallery/05_lifetime/array_resize`).

tensor = torch.ones(2)
array = np.resize(tensor.numpy(), 4)
print(array.shape, np.shares_memory(array, tensor.numpy()))
# => (4,) False

# %%
# With ``batch_size=1`` the loader does not raise, but the batches differ in shape.

shapes = [tuple(batch.shape) for batch in DataLoader(samples, batch_size=1)]
print(shapes)
# => [(1, 3), (1, 2)]
