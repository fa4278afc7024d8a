"""
Save a tensor as npy: np.save and np.load
=========================================

``np.save`` takes an ordinary CPU tensor and ``np.load`` returns an array; save a state dictionary
with ``np.savez(file, **state)``, because ``np.save`` would pickle it.
"""

# sphinx_gallery_tags = ["files", "save"]

import io

import numpy as np
import torch

# %%
# :func:`numpy.save` converts its argument to an array, so you can pass an ordinary CPU tensor.
# ``np.load`` returns an array. Here the file is a buffer in memory.

buffer = io.BytesIO()
np.save(buffer, torch.arange(3.0))
buffer.seek(0)
print(repr(np.load(buffer)))
# => array([0., 1., 2.], dtype=float32)

# %%
# These tensors, for which ``numpy()`` raises, also raise here, with the same messages.

for tensor in [torch.ones(1, requires_grad=True), torch.ones(1, dtype=torch.bfloat16)]:
    try:
        np.save(io.BytesIO(), tensor)
    except (RuntimeError, TypeError) as error:
        print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# => Got unsupported ScalarType BFloat16

# %%
# To save a state dictionary, pass its entries to :func:`numpy.savez` by name. Its tensors are
# already detached. ``float32`` weights saved like this can be read without torch.

layer = torch.nn.Linear(2, 1)
buffer = io.BytesIO()
np.savez(buffer, **layer.state_dict())
buffer.seek(0)
archive = np.load(buffer)
print(archive.files, archive["weight"].dtype)
# => ['weight', 'bias'] float32

# %%
# To load the model, make a tensor of each array; :meth:`torch.nn.Module.load_state_dict` copies the
# values.

state = {name: torch.from_numpy(archive[name]) for name in archive.files}
print(layer.load_state_dict(state))
# => <All keys matched successfully>

# %%
# Do not pass the dictionary itself: ``np.save`` puts it into an object array and pickles it.
# :func:`numpy.load` raises for such a file unless ``allow_pickle=True``, and `a pickle can run code
# <https://numpy.org/doc/stable/reference/generated/numpy.load.html>`__.

buffer = io.BytesIO()
np.save(buffer, layer.state_dict())
buffer.seek(0)
try:
    np.load(buffer)
except ValueError as error:
    print(error)
# => Object arrays cannot be loaded when allow_pickle=False

# %%
# For a view the two formats differ. ``np.save`` writes the row; :func:`torch.save` writes the
# `whole storage behind it <https://docs.pytorch.org/docs/stable/notes/serialization.html>`__,
# unless you clone the row.

table = torch.zeros(1000, 1000)
by_numpy, by_torch, cloned = io.BytesIO(), io.BytesIO(), io.BytesIO()
np.save(by_numpy, table[0])
torch.save(table[0], by_torch)
torch.save(table[0].clone(), cloned)
for file in [by_numpy, by_torch, cloned]:
    print(len(file.getvalue()) > table.numel())
# => False
# => True
# => False
