"""
torch.load with map_location
============================

``map_location`` decides where tensors go as they are loaded: one device, a dictionary to swap
devices, or a function; without it each returns to the device it was saved from.
"""

# sphinx_gallery_tags = ["files", "torch.load", "checkpoint", "device"]

import io

import torch

# %%
# The file stores a location for each storage. This page has no GPU, so `a tagger
# <https://docs.pytorch.org/docs/stable/notes/serialization.html#torch.serialization.register_package>`__
# writes the locations of two GPUs into the file.

locations = iter(["cuda:0", "cuda:1"])
torch.serialization.register_package(
    0, lambda storage: next(locations, None), lambda storage, location: None
)
file = io.BytesIO()
torch.save({"weight": torch.ones(2, 2), "bias": torch.zeros(2)}, file)

# %%
# Pass a string or a :class:`torch.device` to load these tensors onto one device. On the CPU,
# ``numpy()`` works at once and shares the loaded memory.

file.seek(0)
state = torch.load(file, map_location="cpu")
print(state["weight"].device, state["bias"].device)
# => cpu cpu
print(state["weight"].numpy())
# => [[1. 1.]
# =>  [1. 1.]]

# %%
# A dictionary replaces locations by name. For example, ``{"cuda:1": "cuda:0"}`` loads a file from
# two GPUs on a machine with one. List every location in the file that your machine does not have.

file.seek(0)
state = torch.load(file, map_location={"cuda:0": "cpu", "cuda:1": "cpu"})
print(state["weight"].device, state["bias"].device)
# => cpu cpu

# %%
# A function gets each storage, on the CPU, and its location; it returns the storage to use. You can
# also use it to find out where a file comes from.

seen = []


def keep_on_cpu(storage, location):
    seen.append(location)
    return storage


file.seek(0)
state = torch.load(file, map_location=keep_on_cpu)
print(seen)
# => ['cuda:0', 'cuda:1']

# %%
# ``map_location`` does not move or cast the model. The model keeps its own device and dtype: by
# default ``load_state_dict`` copies the values, and you can delete the loaded tensors afterwards.
# If you load to the CPU, the loaded tensors use no GPU memory.

model = torch.nn.Linear(2, 2, dtype=torch.float64)
model.load_state_dict(state)
state["weight"].zero_()
print(model.weight.dtype, model.weight.detach().numpy())
# => torch.float64 [[1. 1.]
# =>  [1. 1.]]

# %%
# If you move tensors to the CPU before saving, you do not need ``map_location``. Otherwise, a file
# from a GPU :doc:`raises </gallery/13_errors/deserialize_cuda>` on a machine without one.

portable = {name: value.cpu() for name, value in model.state_dict().items()}
file = io.BytesIO()
torch.save(portable, file)
file.seek(0)
print(torch.load(file)["weight"].device)
# => cpu
