"""
Save on one accelerator, load on another: cpu() and map_location
================================================================

Move tensors to the CPU before ``torch.save``, load with ``map_location="cpu"``, then call
``to(device)``: that also works for ``lazy``, which raises if you save or restore it directly.
"""

# sphinx_gallery_tags = ["device", "files", "torch.load", "error"]

import io

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# ``torch.save`` writes the bytes of a storage. It raises for ``lazy``, whose bytes are not
# accessible. For CUDA and MPS it copies the bytes to the file, together with the name of the
# device.

torch._lazy.ts_backend.init()
model = torch.nn.Linear(2, 1, bias=False).to("lazy")
file = io.BytesIO()
try:
    torch.save(model.state_dict(), file)
except RuntimeError as error:
    print(error)
# => Attempted to access the data pointer on an invalid python storage.

# %%
# Copy the tensors to the CPU first. The file then names no accelerator and loads on a machine
# without one.


def save_portable(model, file):
    """Write the weights of ``model`` so that any device can load them."""
    torch.save({name: value.cpu() for name, value in model.state_dict().items()}, file)


file = io.BytesIO()
save_portable(model, file)
file.seek(0)
state = torch.load(file, map_location="cpu")
print(state["weight"].device, state["weight"].numpy().shape)
# => cpu (1, 2)

# %%
# By default ``load_state_dict`` copies across devices, so the values end up on the model's device.

copy = torch.nn.Linear(2, 1, bias=False).to("lazy")
copy.load_state_dict(state)
print(copy.weight.device)
# => lazy:0
print(np.array_equal(copy.weight.numpy(force=True), model.weight.numpy(force=True)))
# => True

# %%
# ``map_location`` raises for ``lazy``, although ``to`` can move a tensor there.

file.seek(0)
try:
    torch.load(file, map_location="lazy")
except RuntimeError as error:
    print(error)
# => don't know how to restore data location of torch.storage.UntypedStorage (tagged with lazy)
print(state["weight"].to("lazy").device)
# => lazy:0

# %%
# If you save CUDA tensors, the file names their device, and loading raises on a machine without it:
# :doc:`/gallery/13_errors/deserialize_cuda`. Pass ``map_location`` to load it:
# :doc:`/gallery/12_files/map_location`. NumPy's format stores no device at all.

file = io.BytesIO()
np.savez(file, **{name: value.cpu().numpy() for name, value in model.state_dict().items()})
file.seek(0)
print(torch.from_numpy(np.load(file)["weight"]).to("lazy").device)
# => lazy:0
