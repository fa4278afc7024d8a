"""
NumPy arrays in a checkpoint: weights_only
==========================================

Convert arrays to tensors and NumPy scalars to Python numbers before ``torch.save``, and
``torch.load`` with ``weights_only=True`` reads the checkpoint.
"""

# sphinx_gallery_tags = ["files", "torch.load", "checkpoint"]

import io
import pickle

import numpy as np
import torch

# %%
# With ``weights_only=True``, :func:`torch.load` raises for NumPy objects:
# :doc:`/gallery/13_errors/weights_only`. They often get into a checkpoint unnoticed. This helper
# returns whether a checkpoint can be loaded.


def comes_back(checkpoint):
    buffer = io.BytesIO()
    torch.save(checkpoint, buffer)
    buffer.seek(0)
    try:
        torch.load(buffer, weights_only=True)
    except pickle.UnpicklingError:
        return False
    return True


# %%
# ``torch.load`` accepts tensors and Python's numbers, strings, lists and dictionaries. It does not
# accept a NumPy scalar, although ``numpy.float64`` is a subclass of ``float``.

loss = np.mean([0.25, 0.75])
print(isinstance(loss, float), comes_back({"loss": loss}), comes_back({"loss": loss.item()}))
# => True False True

# %%
# The optimizer here stores the learning rate as it got it. One from :func:`numpy.geomspace` stays a
# NumPy scalar in the optimizer's state, and loading the whole checkpoint then raises.

weight = torch.nn.Parameter(torch.zeros(1))
rates = np.geomspace(0.1, 0.001, num=3)
from_numpy = torch.optim.SGD([weight], lr=rates[0])
from_python = torch.optim.SGD([weight], lr=float(rates[0]))
print(comes_back(from_numpy.state_dict()), comes_back(from_python.state_dict()))
# => False True

# %%
# The state of NumPy's global generator contains an array. The state of torch's generator is a
# tensor, and that of a generator from :func:`numpy.random.default_rng` is a dictionary of Python
# integers and text.

generator = np.random.default_rng(0)
print(comes_back(np.random.get_state()))
# => False
print(comes_back(torch.get_rng_state()), comes_back(generator.bit_generator.state))
# => True True

# %%
# If you do not know what a checkpoint contains, convert arrays and NumPy scalars before saving.
# Arrays become tensors, and after loading :meth:`torch.Tensor.numpy` makes them arrays again.


def without_numpy(value):
    if isinstance(value, dict):
        return {key: without_numpy(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(without_numpy(item) for item in value)
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value)
    return value.item() if isinstance(value, np.generic) else value


mixed = {"mean": np.ones(2), "history": [np.float32(0.5)], "epoch": np.int64(3)}
print(comes_back(mixed), comes_back(without_numpy(mixed)))
# => False True
print(without_numpy(mixed))
# => {'mean': tensor([1., 1.], dtype=torch.float64), 'history': [0.5], 'epoch': 3}

# %%
# Since torch 2.6 you can list the functions that a file would call, without loading it:
# ``get_unsafe_globals_in_checkpoint``. These three names mean that the file contains an array.

buffer = io.BytesIO()
torch.save({"mean": np.ones(2)}, buffer)
buffer.seek(0)
for name in sorted(torch.serialization.get_unsafe_globals_in_checkpoint(buffer)):
    print(name.split(".")[-1])
# => _reconstruct
# => dtype
# => ndarray
