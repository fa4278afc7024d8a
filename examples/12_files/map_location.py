"""
torch.load with map_location
============================

``map_location`` decides where tensors go as they are loaded: a device for all of them, a dictionary to
swap devices, or a function; without it each returns to the device it was saved from.
"""

# sphinx_gallery_tags = ["files", "torch.load", "checkpoint", "device"]

import io

import torch

# %%
# The file keeps a location for each storage. `A tagger
# <https://docs.pytorch.org/docs/stable/notes/serialization.html#torch.serialization.register_package>`__
# writes these locations, so that the file below is one from two GPUs, made without any.

locations = iter(["cuda:0", "cuda:1"])
torch.serialization.register_package(
    0, lambda storage: next(locations, None), lambda storage, location: None
)
file = io.BytesIO()
torch.save({"weight": torch.ones(2, 2), "bias": torch.zeros(2)}, file)

# %%
# A string or a :class:`torch.device` sends everything to one place. From the CPU, ``numpy()`` works
# at once, and shares the loaded memory.

file.seek(0)
state = torch.load(file, map_location="cpu")
print(state["weight"].device, state["bias"].device)
# => cpu cpu
print(state["weight"].numpy())
# => [[1. 1.]
# =>  [1. 1.]]

# %%
# A dictionary replaces locations by name: ``{"cuda:1": "cuda:0"}`` is for a machine with one GPU
# less. Each location that the file has and the machine lacks must be in it.

file.seek(0)
state = torch.load(file, map_location={"cuda:0": "cpu", "cuda:1": "cpu"})
print(state["weight"].device, state["bias"].device)
# => cpu cpu

# %%
# A function gets each storage on the CPU, with its location, and returns the storage to use. It is
# also a way to see where a file comes from.

seen = []


def keep_on_cpu(storage, location):
    seen.append(location)
    return storage


file.seek(0)
state = torch.load(file, map_location=keep_on_cpu)
print(seen)
# => ['cuda:0', 'cuda:1']

# %%
# ``map_location`` is no cast and no ``to`` for the model. A model keeps its own device and dtype:
# ``load_state_dict`` copies the values over, so the loaded tensors can go afterwards. Loaded to the CPU,
# they take no memory of the GPU beside the model.

model = torch.nn.Linear(2, 2, dtype=torch.float64)
model.load_state_dict(state)
state["weight"].zero_()
print(model.weight.dtype, model.weight.detach().numpy())
# => torch.float64 [[1. 1.]
# =>  [1. 1.]]

# %%
# Save tensors of the CPU, and nobody needs the argument. A file from a GPU is otherwise
# :doc:`an error </gallery/13_errors/deserialize_cuda>` on a machine without one.

portable = {name: value.cpu() for name, value in model.state_dict().items()}
file = io.BytesIO()
torch.save(portable, file)
file.seek(0)
print(torch.load(file)["weight"].device)
# => cpu
