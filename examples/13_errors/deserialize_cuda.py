"""
RuntimeError: Attempting to deserialize object on a CUDA device
===============================================================

The file was saved from a CUDA GPU, and torch finds none here: load it with ``map_location``.

.. fix::

   - state = torch.load(file)
   + state = torch.load(file, map_location="cpu")
"""

# sphinx_gallery_tags = ["torch.load", "files", "checkpoint", "device", "error"]

import io
import os

import torch

# %%
# The error
# ---------
#
# A checkpoint stores the device of each storage, and :func:`torch.load` puts the storage back
# there. This page needs no GPU: `a tagger
# <https://docs.pytorch.org/docs/stable/notes/serialization.html#torch.serialization.register_package>`__
# makes ``torch.save`` write ``cuda:0``, and the environment variable hides the GPUs of the machine.

os.environ["CUDA_VISIBLE_DEVICES"] = ""
torch.serialization.register_package(0, lambda storage: "cuda:0", lambda storage, location: None)
file = io.BytesIO()
torch.save({"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, file)
file.seek(0)
try:
    state = torch.load(file)
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False

# %%
# The fix
# -------
#
# Pass ``map_location`` to load the storages to another device. The values are the same.

file.seek(0)
state = torch.load(file, map_location="cpu")
print(state["weight"], state["weight"].device)
# => tensor([[1., 1.]]) cpu

# %%
# If your program runs with and without a GPU, choose the device once and move the model there. Load
# the file to the CPU in both cases: ``load_state_dict`` copies the values to the model's device.

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(2, 1).to(device)
model.load_state_dict(state)
print(model.weight.device)
# => cpu

# %%
# If you get the error on a machine with an NVIDIA GPU, torch has no access to that GPU. Possible
# causes are a CPU build, where ``torch.version.cuda`` is ``None``, a driver that is missing or too
# old, and ``CUDA_VISIBLE_DEVICES``, which hides the GPUs from this page. Until you repair this,
# work on the GPU raises.

print(torch.cuda.is_available(), torch.cuda.device_count())
# => False 0

# %%
# What does not help
# ------------------
#
# A dictionary maps the devices that it names, and leaves the others.

file.seek(0)
try:
    torch.load(file, map_location={"cuda:1": "cpu"})
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False

# %%
# Moving the loaded tensors to the CPU does not help, because ``load`` itself raises. If you write
# the file yourself, save CPU tensors: :doc:`/gallery/12_files/map_location`. That page also shows
# the other forms of the argument.

file.seek(0)
try:
    torch.load(file)["weight"].cpu()
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
