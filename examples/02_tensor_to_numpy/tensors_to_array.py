"""
List of tensors to a NumPy array
================================

``torch.stack(tensors).numpy()`` makes one array of tensors of equal shape; add ``detach().cpu()`` for
gradients and GPUs, and use ``torch.cat`` to join along an axis that is there already.
"""

# sphinx_gallery_tags = ["list", "stack", "numpy", "copy", "autograd"]

import numpy as np
import torch

# %%
# Results of a loop are collected in a list. :func:`torch.stack` puts them along a new first axis, and
# the conversion happens once.

losses = [torch.tensor([0.5, 1.0]), torch.tensor([0.25, 2.0]), torch.tensor([0.0, 4.0])]
array = torch.stack(losses).numpy()
print(array)
# => [[0.5  1.  ]
# =>  [0.25 2.  ]
# =>  [0.   4.  ]]

# %%
# The array owns its values, as stacking copies. Without the stack each array shares memory with its
# tensor, and changes when the next step writes into it.

views = [tensor.numpy() for tensor in losses]
losses[0][0] = 9
print(views[0], array[0])
# => [9. 1.] [0.5 1. ]

# %%
# Batches, of which the last is shorter, are joined along the axis that they have.

batches = [torch.zeros(4, 2), torch.zeros(4, 2), torch.zeros(1, 2)]
print(torch.cat(batches).numpy().shape)
# => (9, 2)

# %%
# Outputs of a model record gradients and may be on a GPU. Undo both on the result, in one transfer;
# collect ``output.detach()`` if the graph of every step shall be freed at once.

outputs = [torch.ones(2, requires_grad=True) * step for step in range(3)]
print(torch.stack(outputs).detach().cpu().numpy())
# => [[0. 0.]
# =>  [1. 1.]
# =>  [2. 2.]]

# %%
# Numbers, one for each tensor, are better collected as such. ``item`` gives a Python number, and the
# array is ``float64`` then; the stack keeps the dtype of the tensors.

values = [tensor.sum() for tensor in losses]
print(np.array([value.item() for value in values]).dtype, torch.stack(values).numpy().dtype)
# => float64 float32

# %%
# ``np.array`` of the list converts each tensor by itself, so it gives the same array for tensors of
# equal shape on the CPU. What it does with others is on
# :doc:`/gallery/13_errors/array_of_tensors`.

print(np.array_equal(np.array(losses), torch.stack(losses).numpy()))
# => True

# %%
# The way back is one call, and a list of tensors again is ``unbind``, or ``list``.

print(len(torch.from_numpy(array).unbind()), type(list(torch.from_numpy(array))[0]).__name__)
# => 3 Tensor
