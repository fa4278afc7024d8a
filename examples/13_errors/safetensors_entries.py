"""
ValueError: Key `epoch` is invalid, expected torch.Tensor but received
======================================================================

A safetensors file holds one flat dictionary of tensors: keep numbers and texts apart, as ``metadata``
of type ``str``.

.. fix::

   - safetensors.torch.save(checkpoint)
   + tensors = {k: v for k, v in checkpoint.items() if isinstance(v, torch.Tensor)}
   + data = safetensors.torch.save(tensors, metadata={"epoch": str(checkpoint["epoch"])})
"""

# sphinx_gallery_tags = ["safetensors", "files", "checkpoint", "save", "error"]

import json
import pathlib
import tempfile

import numpy as np
import safetensors
import safetensors.numpy
import safetensors.torch
import torch

# %%
# The error
# ---------
#
# A checkpoint usually has more than tensors: the epoch, names, the state of the optimizer. The message
# names the key and the class. A dictionary inside the dictionary is not allowed either.

checkpoint = {"weight": torch.ones(2), "epoch": 3, "name": "small"}
for extra in (3, "small", [torch.ones(1)], {"weight": torch.ones(2)}, np.ones(2)):
    try:
        safetensors.torch.save({"weight": torch.ones(2), "epoch": extra})
    except ValueError as error:
        print(error)
# => Key `epoch` is invalid, expected torch.Tensor but received <class 'int'>
# => Key `epoch` is invalid, expected torch.Tensor but received <class 'str'>
# => Key `epoch` is invalid, expected torch.Tensor but received <class 'list'>
# => Key `epoch` is invalid, expected torch.Tensor but received <class 'dict'>
# => Key `epoch` is invalid, expected torch.Tensor but received <class 'numpy.ndarray'>
try:
    safetensors.torch.save(checkpoint)
except ValueError as error:
    print(error)
# => Key `epoch` is invalid, expected torch.Tensor but received <class 'int'>

# %%
# A model or a list is not a dictionary.

for whole in (torch.nn.Linear(1, 1), [torch.ones(1)]):
    try:
        safetensors.torch.save(whole)
    except ValueError as error:
        print(error)
# => Expected a dict of [str, torch.Tensor] but received <class 'torch.nn.modules.linear.Linear'>
# => Expected a dict of [str, torch.Tensor] but received <class 'list'>

# %%
# The fix
# -------
#
# Save the tensors, and put short values into ``metadata``, as text.

tensors = {k: v for k, v in checkpoint.items() if isinstance(v, torch.Tensor)}
data = safetensors.torch.save(tensors, metadata={"epoch": str(checkpoint["epoch"])})
print(list(safetensors.torch.load(data)))
# => ['weight']

# %%
# Read them back with ``safe_open``. JSON holds nested values.

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder, "model.safetensors")
    rest = {k: v for k, v in checkpoint.items() if k not in tensors}
    safetensors.torch.save_file(tensors, path, metadata={"rest": json.dumps(rest)})
    with safetensors.safe_open(path, framework="pt") as file:
        print(json.loads(file.metadata()["rest"]), file.keys())
# => {'epoch': 3, 'name': 'small'} ['weight']

# %%
# For a model, save its ``state_dict``. To flatten nested dictionaries, join the keys.

print(sorted(safetensors.torch.load(safetensors.torch.save(torch.nn.Linear(1, 1).state_dict()))))
# => ['bias', 'weight']
nested = {"encoder": {"weight": torch.ones(2)}, "head": {"weight": torch.zeros(2)}}
flat = {
    f"{part}.{name}": value for part, values in nested.items() for name, value in values.items()
}
print(sorted(safetensors.torch.load(safetensors.torch.save(flat))))
# => ['encoder.weight', 'head.weight']

# %%
# A number can also be stored as a tensor of one element.

print(safetensors.torch.load(safetensors.torch.save({"epoch": torch.tensor(3)}))["epoch"].item())
# => 3

# %%
# What does not help
# ------------------
#
# Numbers in ``metadata`` raise as well: its keys and values are text.

try:
    safetensors.torch.save(tensors, metadata={"epoch": 3})
except TypeError as error:
    print("str" in str(error) or "PyString" in str(error))
# => True

# %%
# Calling ``contiguous()`` for each value of the checkpoint raises before anything is saved, with a message
# of Python. ``safetensors.numpy`` looks for a dtype, and raises too.

try:
    {key: value.contiguous() for key, value in checkpoint.items()}
except AttributeError as error:
    print(error)
# => 'int' object has no attribute 'contiguous'
try:
    safetensors.numpy.save({"weight": np.ones(2), "name": "small"})
except AttributeError as error:
    print(str(error).split("no attribute ")[1])
# => 'dtype'
