"""
pin_memory=True pins tensors and skips arrays
=============================================

``pin_memory=True`` pins tensors and skips arrays without a warning: end your ``collate_fn`` with
``torch.from_numpy``, or give your batch class a ``pin_memory`` method.
"""

# sphinx_gallery_tags = ["cuda", "dataloader", "pinned"]

import numpy as np
import torch
from torch.utils.data import DataLoader

# %%
# With ``pin_memory=True`` the loader copies each batch to page-locked memory. A GPU can read this
# memory while the program continues.

rows = np.ones((4, 2), dtype=np.float32)
(batch,) = DataLoader(rows, batch_size=4, pin_memory=True)
print(type(batch), batch.is_pinned())
# => <class 'torch.Tensor'> True

# %%
# The loader pins tensors, also inside lists, tuples and dictionaries. It does not pin arrays, so
# with a collate function that returns arrays the option does not pin, without a warning.


def stack(items):
    return np.stack(items)


(batch,) = DataLoader(rows, batch_size=4, pin_memory=True, collate_fn=stack)
print(type(batch), torch.from_numpy(batch).is_pinned())
# => <class 'numpy.ndarray'> False

# %%
# Convert at the end of the collate function. The conversion shares memory; the loader then copies
# the tensor to pinned memory.


def stack_to_tensor(items):
    return torch.from_numpy(np.stack(items))


(batch,) = DataLoader(rows, batch_size=4, pin_memory=True, collate_fn=stack_to_tensor)
print(batch.is_pinned())
# => True

# %%
# Objects of your own classes are not pinned either, unless they have a method ``pin_memory``, as
# `the documentation <https://docs.pytorch.org/docs/stable/data.html#memory-pinning>`__ describes.


class Batch:
    def __init__(self, items):
        self.values = torch.from_numpy(np.stack(items))

    def pin_memory(self):
        self.values = self.values.pin_memory()
        return self


(batch,) = DataLoader(rows, batch_size=4, pin_memory=True, collate_fn=Batch)
print(batch.values.is_pinned())
# => True

# %%
# The array of a pinned tensor uses the same pinned memory. NumPy can fill it, and the upload needs
# no further copy on the CPU. :doc:`/gallery/07_cuda/pinned_memory` has the rules.

array = batch.values.numpy()
array[0] = 5.0
print(batch.values.to("cuda", non_blocking=True)[0])
# => tensor([5., 5.], device='cuda:0')
