"""
List of tensors to a NumPy array
================================

``torch.stack(tensors).numpy()`` makes one array of tensors of equal shape; add ``detach().cpu()``
for gradients and GPUs. To join along an existing axis, use ``torch.cat``.
"""

# sphinx_gallery_tags = ["list", "stack", "numpy", "copy", "autograd"]

import numpy as np
import torch

# %%
# Say that a loop has collected tensors in a list. :func:`torch.stack` joins them along a new first
# axis, and a single call converts the result.

losses = [torch.tensor([0.5, 1.0]), torch.tensor([0.25, 2.0]), torch.tensor([0.0, 4.0])]
array = torch.stack(losses).numpy()
print(array)
# => [[0.5  1.  ]
# =>  [0.25 2.  ]
# =>  [0.   4.  ]]

# %%
# Stacking copies, so later changes to the tensors do not reach the array. If you convert each
# tensor without stacking, its array shares memory, and changes when the next step writes to the
# tensor.

views = [tensor.numpy() for tensor in losses]
losses[0][0] = 9
print(views[0], array[0])
# => [9. 1.] [0.5 1. ]

# %%
# Join batches along their existing axis with :func:`torch.cat`; the last batch may be shorter.

batches = [torch.zeros(4, 2), torch.zeros(4, 2), torch.zeros(1, 2)]
print(torch.cat(batches).numpy().shape)
# => (9, 2)

# %%
# Outputs of a model carry gradients and may be on a GPU. Detach and move the joined result, so that
# one transfer is enough. Or collect ``output.detach()``, which frees the graph after each step.

outputs = [torch.ones(2, requires_grad=True) * step for step in range(3)]
print(torch.stack(outputs).detach().cpu().numpy())
# => [[0. 0.]
# =>  [1. 1.]
# =>  [2. 2.]]

# %%
# If each tensor holds one number, you can collect the numbers with ``item``. NumPy then makes
# ``float64`` of floats; ``torch.stack`` keeps the dtype of the tensors.

values = [tensor.sum() for tensor in losses]
print(np.array([value.item() for value in values]).dtype, torch.stack(values).numpy().dtype)
# => float64 float32

# %%
# ``np.array`` also accepts the list and converts each tensor separately. For these tensors the
# array is the same. For other shapes see :doc:`/gallery/13_errors/array_of_tensors`.

print(np.array_equal(np.array(losses), torch.stack(losses).numpy()))
# => True

# %%
# ``torch.from_numpy`` converts back; ``unbind`` or ``list`` splits the tensor into separate tensors
# again.

print(len(torch.from_numpy(array).unbind()), type(list(torch.from_numpy(array))[0]).__name__)
# => 3 Tensor
