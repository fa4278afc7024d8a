"""
Move a nested dict of arrays and tensors to a device
====================================================

A dict has no ``to``: call a function on each value, and on the values of each dict, list and tuple in it.
``torch.as_tensor(value, device=device)`` takes arrays and tensors alike.
"""

# sphinx_gallery_tags = ["device", "batch", "dict", "recursive", "collate"]

from dataclasses import dataclass, fields

import numpy as np
import torch

# %%
# Strings and ``None`` stay as they are. The function makes new containers; on the CPU the tensors share
# the arrays' memory.


def to_device(value, device):
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return torch.as_tensor(value, device=device)
    if isinstance(value, dict):
        return {key: to_device(item, device) for key, item in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(to_device(item, device) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(to_device(item, device) for item in value)
    return value


batch = {
    "image": np.zeros((2, 3)),
    "target": {"boxes": [torch.ones(4), torch.ones(4)]},
    "name": "a",
}
moved = to_device(batch, "cpu")
print(type(moved["image"]).__name__, moved["image"].dtype, moved["name"])
# => Tensor torch.float64 a
print(np.shares_memory(moved["image"].numpy(), batch["image"]))
# => True

# %%
# Torch has no tensors of strings. Leave such entries out by their dtype.

texts = np.array(["a", "b"])
try:
    to_device({"text": texts}, "cpu")
except TypeError as error:
    print(str(error).split(". ")[0])
# => can't convert np.ndarray of type numpy.str_
print(texts.dtype.kind, np.zeros(1).dtype.kind)
# => U f

# %%
# To have floats as ``float32`` on the device, cast in the same place.


def to_float(value, device):
    tensor = torch.as_tensor(value)
    dtype = torch.float32 if tensor.is_floating_point() else tensor.dtype
    return tensor.to(device, dtype)


print(to_float(np.zeros(2), "cpu").dtype, to_float(np.zeros(2, np.int64), "cpu").dtype)
# => torch.float32 torch.int64

# %%
# The way back has the same form, with ``detach().cpu().numpy()`` for a tensor. This short one does
# not rebuild named tuples.


def to_arrays(value):
    if isinstance(value, torch.Tensor):
        return value.detach().cpu().numpy()
    if isinstance(value, dict):
        return {key: to_arrays(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(to_arrays(item) for item in value)
    return value


print(type(to_arrays(moved)["target"]["boxes"][0]).__name__)
# => ndarray

# %%
# A class of your own can have a method ``to``. With ``pin_memory=True`` and a GPU, a
# ``DataLoader`` calls its method ``pin_memory``, if it has one.


@dataclass
class Sample:
    image: torch.Tensor
    label: torch.Tensor

    def to(self, device):
        return Sample(*(getattr(self, field.name).to(device) for field in fields(self)))


print(Sample(torch.zeros(2), torch.ones(1)).to("cpu").label)
# => tensor([1.])
