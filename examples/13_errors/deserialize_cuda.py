"""
RuntimeError: Attempting to deserialize object on a CUDA device
===============================================================

The file was saved from a GPU and torch finds none here: load it with ``map_location``.

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
# A checkpoint names the device of each storage, and :func:`torch.load` puts it back there. This page
# needs no GPU: `a tagger
# <https://docs.pytorch.org/docs/stable/notes/serialization.html#torch.serialization.register_package>`__
# makes ``torch.save`` write ``cuda:0`` in this program, and the variable hides any GPU from it.

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
# ``map_location`` says where the storages go instead. The values are the same.

file.seek(0)
state = torch.load(file, map_location="cpu")
print(state["weight"], state["weight"].device)
# => tensor([[1., 1.]]) cpu

# %%
# In a program for both kinds of machine, choose the device once, and move the model to it. Loading
# to the CPU is right on either: ``load_state_dict`` copies into the memory that the model has.

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = torch.nn.Linear(2, 1).to(device)
model.load_state_dict(state)
print(model.weight.device)
# => cpu

# %%
# On a machine that has a GPU the message means that torch cannot use it: ``torch.version.cuda`` is
# ``None`` in a build for the CPU, and the driver may be missing or too old. Until this is repaired,
# every way to the GPU fails.

print(torch.cuda.is_available(), torch.cuda.device_count())
# => False 0

# %%
# What does not help
# ------------------
#
# A dictionary maps the devices that it names, and leaves all others.

file.seek(0)
try:
    torch.load(file, map_location={"cuda:1": "cpu"})
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False

# %%
# Nor does moving the result to the CPU: the error is raised before there is one. Saving tensors of
# the CPU does help, for the next reader of the file. :doc:`/gallery/12_files/map_location` does so,
# and shows the other forms of the argument.

file.seek(0)
try:
    torch.load(file)["weight"].cpu()
except RuntimeError as error:
    print(str(error).split(". ")[0])
# => Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False
