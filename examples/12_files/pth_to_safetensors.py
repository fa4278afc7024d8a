"""
Convert a .pth, .pt or .bin checkpoint to safetensors
=====================================================

Load it on the CPU with ``torch.load(path, map_location="cpu", weights_only=True)``, take the state dict, make
the tensors contiguous, and write them with ``safetensors.torch.save_file``. Tied weights need a ``clone``.
"""

# sphinx_gallery_tags = ["safetensors", "checkpoint", "state_dict", "files", "weights", "contiguous"]

import tempfile
from pathlib import Path

import torch
from safetensors.numpy import load_file as load_arrays
from safetensors.torch import load_file, save_file

# %%
# Checkpoints of training scripts hold more than weights, and the names may begin with ``module.``, from
# ``DataParallel``.

folder = Path(tempfile.mkdtemp())
weights = torch.arange(6.0).reshape(2, 3).T
torch.save({"epoch": 3, "state_dict": {"module.weight": weights}}, folder / "model.pth")

# %%
# Take the dictionary of tensors out, and write that. ``save_file`` refuses a tensor that is not contiguous, and
# values that are not tensors.

checkpoint = torch.load(folder / "model.pth", map_location="cpu", weights_only=True)
state = checkpoint.get("state_dict", checkpoint)
state = {name.removeprefix("module."): value.contiguous() for name, value in state.items()}
save_file(state, folder / "model.safetensors", metadata={"epoch": "3"})

# %%
# Check that the new file gives the same weights.

loaded = load_file(folder / "model.safetensors")
print(loaded["weight"].shape, torch.equal(loaded["weight"], weights))
# => torch.Size([3, 2]) True

# %%
# ``safetensors.numpy`` reads the file without torch. A ``.pth`` is a zip archive with a pickle of torch inside:
# ``np.load`` opens the archive, but gives raw bytes in place of arrays.

arrays = load_arrays(folder / "model.safetensors")
print(type(arrays["weight"]).__name__, arrays["weight"].shape)
# => ndarray (3, 2)

# %%
# Tied weights
# ------------
#
# Two names for one memory, such as an embedding and the output layer, are refused. Clone one of them, or use
# ``safetensors.torch.save_model(model, path)``, which stores it once.

tied = {"embedding": loaded["weight"], "head": loaded["weight"]}
try:
    save_file(tied, folder / "tied.safetensors")
except RuntimeError as error:
    print("share memory" in str(error))
# => True
save_file({name: value.clone() for name, value in tied.items()}, folder / "tied.safetensors")
print(sorted(load_file(folder / "tied.safetensors")))
# => ['embedding', 'head']
