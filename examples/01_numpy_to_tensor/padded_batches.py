"""
Pad arrays of different lengths to one batch: pad_sequence
==========================================================

``pad_sequence([torch.from_numpy(a) for a in arrays], batch_first=True)`` fills the short arrays with
zeros. Keep the lengths or a mask, because zeros look like data.
"""

# sphinx_gallery_tags = ["list", "shape", "padding", "sequence", "collate", "mask"]

import numpy as np
import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

# %%
# ``batch_first=True`` gives batch by length. By default the length comes first.

arrays = [np.array([1.0, 2.0, 3.0]), np.array([4.0]), np.array([5.0, 6.0])]
tensors = [torch.from_numpy(array).float() for array in arrays]
batch = pad_sequence(tensors, batch_first=True)
print(batch)
# => tensor([[1., 2., 3.],
# =>         [4., 0., 0.],
# =>         [5., 6., 0.]])
print(pad_sequence(tensors).shape)
# => torch.Size([3, 3])

# %%
# The mask says which places are data. Here a mean over the filled places is too small.

lengths = torch.tensor([len(array) for array in arrays])
mask = torch.arange(batch.shape[1]) < lengths[:, None]
print(batch[2].mean(), (batch * mask).sum(1)[2] / lengths[2])
# => tensor(3.6667) tensor(5.5000)

# %%
# Choose another value where zero is a token or a class; -100 is what ``cross_entropy`` ignores by
# default.

labels = [torch.tensor([1, 0]), torch.tensor([2])]
print(pad_sequence(labels, batch_first=True, padding_value=-100))
# => tensor([[   1,    0],
# =>         [   2, -100]])

# %%
# In a DataLoader
# ---------------
#
# ``default_collate`` stacks, which needs equal lengths: pass a function that pads.


def collate(samples):
    lengths = torch.tensor([len(sample) for sample in samples])
    return pad_sequence([torch.from_numpy(sample) for sample in samples], batch_first=True), lengths


padded, lengths = next(iter(DataLoader(arrays, batch_size=3, collate_fn=collate)))
print(padded.shape, lengths)
# => torch.Size([3, 3]) tensor([3, 1, 2])

# %%
# Rows of vectors work as well if they differ in the first axis alone. For images of several sizes,
# pad both axes with ``F.pad``, whose pairs begin with the last axis.

steps = [torch.ones(3, 8), torch.ones(5, 8)]
print(pad_sequence(steps, batch_first=True).shape)
# => torch.Size([2, 5, 8])
images = [torch.ones(3, 4, 6), torch.ones(3, 5, 5)]
sizes = torch.tensor([image.shape for image in images]).amax(0).tolist()
padded = [
    F.pad(image, (0, sizes[2] - image.shape[2], 0, sizes[1] - image.shape[1])) for image in images
]
print(torch.stack(padded).shape)
# => torch.Size([2, 3, 5, 6])
