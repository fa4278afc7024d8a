"""
Model weights to NumPy arrays: npz files and lists
==================================================

``{name: value.cpu().numpy() for name, value in model.state_dict().items()}`` holds the weights as
arrays. On the CPU they share memory with the model: copy what is to stay as it is.
"""

# sphinx_gallery_tags = ["weights", "modules", "files", "sharing", "checkpoint"]

import io

import numpy as np
import torch

# %%
# By default the tensors of a ``state_dict`` are detached, so ``numpy`` needs no ``detach``. Here the arrays
# share memory with the model: a training step would change them.

model = torch.nn.Linear(2, 1)
arrays = {name: value.cpu().numpy() for name, value in model.state_dict().items()}
print({name: array.shape for name, array in arrays.items()})
# => {'weight': (1, 2), 'bias': (1,)}
print(np.shares_memory(arrays["weight"], model.weight.detach().numpy()))
# => True

# %%
# An npz file for other programs
# ------------------------------
#
# ``savez`` writes the arrays under their names; who reads the file needs no torch. To load them, make a
# tensor of each array.

file = io.BytesIO()
np.savez(file, **arrays)
file.seek(0)
stored = np.load(file)
other = torch.nn.Linear(2, 1)
other.load_state_dict({name: torch.from_numpy(stored[name]) for name in stored})
print(torch.equal(other.weight, model.weight))
# => True

# %%
# A text file of this layer's weights has a row for each output.

text = io.StringIO()
np.savetxt(text, arrays["weight"], fmt="%.3f")
print(len(text.getvalue().splitlines()), len(text.getvalue().split()))
# => 1 2

# %%
# A list of arrays, for federated learning
# ----------------------------------------
#
# Frameworks such as `Flower <https://flower.ai/docs/framework/>`__ can exchange lists of arrays. Take
# them in the order of the ``state_dict``, and set them by its keys.

weights = [value.cpu().numpy().copy() for value in model.state_dict().values()]
average = [(array + array) / 2 for array in weights]
state = {name: torch.tensor(array) for name, array in zip(model.state_dict(), average, strict=True)}
print(model.load_state_dict(state))
# => <All keys matched successfully>

# %%
# NumPy has no ``bfloat16``. Convert such weights to ``float32``, which keeps each value.

half = torch.nn.Linear(2, 1, dtype=torch.bfloat16)
array = half.state_dict()["weight"].float().numpy()
print(array.dtype, torch.equal(torch.from_numpy(array).bfloat16(), half.weight))
# => float32 True

# %%
# The weight itself requires grad. ``numpy()`` says that first, and after ``detach`` that NumPy lacks the dtype:
# call ``detach`` and ``float``.

weight = half.weight
try:
    weight.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
try:
    weight.detach().numpy()
except TypeError as error:
    print(error)
# => Got unsupported ScalarType BFloat16
print(weight.detach().float().numpy().shape)
# => (1, 2)
