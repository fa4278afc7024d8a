"""
Use whichever accelerator there is: CUDA, MPS, XPU or the CPU
=============================================================

``torch.accelerator.current_accelerator()`` names the device to use, if
``torch.accelerator.is_available()``. Before torch 2.6 ask ``torch.cuda.is_available()`` and
``torch.backends.mps.is_available()``; otherwise use ``"cpu"``.
"""

# sphinx_gallery_tags = ["device", "accelerator"]

import numpy as np
import torch
import torch._lazy.ts_backend

# %%
# Choose the device in one function and pass the result to the rest of the program. torch 2.6 and
# newer need only the first branch; the others are for older releases.


def choose_device():
    """The accelerator that works on this machine, otherwise the CPU."""
    if hasattr(torch, "accelerator"):
        if torch.accelerator.is_available():
            return torch.accelerator.current_accelerator()
    elif torch.cuda.is_available():
        return torch.device("cuda")
    elif torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


device = choose_device()
print(device)
# => cpu

# %%
# Always check ``is_available``. A build for CUDA returns CUDA even on a machine without a GPU, and
# the first tensor then raises. In torch 2.6, ``current_accelerator`` itself raises there.

if hasattr(torch, "accelerator"):
    try:
        print(torch.accelerator.current_accelerator(), torch.accelerator.is_available())
    except RuntimeError as error:
        print(error)
# => cuda False

# %%
# The rest of the program does not name a device: move the array to ``device``, and move the result
# back to the CPU.

array = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
model = torch.nn.Linear(2, 1, bias=False).to(device)
batch = torch.from_numpy(array).to(device)
result = model(batch).detach().cpu().numpy()
print(type(result).__name__, result.shape, result.dtype)
# => ndarray (2, 1) float32

# %%
# An Apple GPU has no ``float64``, NumPy's default (:doc:`/gallery/08_devices/apple_gpu`). Convert
# on the CPU, before the move, so that the same code works there too.

print(torch.from_numpy(np.ones(2)).to(torch.float32).to(device).dtype)
# => torch.float32

# %%
# A device of another package may need an import of that package first. torch does not choose ``lazy``,
# because it is not one of torch's accelerators. Name it yourself to test such code without a GPU.

torch._lazy.ts_backend.init()
print(model.to("lazy")(batch.to("lazy")).detach().cpu().numpy().shape)
# => (2, 1)
