"""
Which synchronize function to call
==================================

Call ``torch.cuda.synchronize`` for CUDA and ``torch.mps.synchronize`` for an Apple GPU. The CPU
needs no call, because its ordinary operations have finished when they return.
"""

# sphinx_gallery_tags = ["device", "non_blocking", "error"]

import numpy as np
import torch

# %%
# Python does not wait for a GPU to finish. Wait before you read a clock, and before you use values
# that were copied with ``non_blocking=True``. The function to call depends on the tensor's device.


def wait_for(tensor):
    if tensor.device.type == "cuda":
        torch.cuda.synchronize(tensor.device)
    if tensor.device.type == "mps":
        torch.mps.synchronize()


result = torch.from_numpy(np.ones(3)) * 2
wait_for(result)
print(result)
# => tensor([2., 2., 2.], dtype=torch.float64)

# %%
# With ``non_blocking=True`` too, ``to("cpu")`` returns this CPU tensor itself.

print(result.to("cpu", non_blocking=True) is result)
# => True

# %%
# ``item``, ``tolist``, ``cpu`` and ``numpy(force=True)`` wait by themselves. They look slow on a
# GPU because a timer also counts the earlier work that they wait for.

print(result.sum().item(), result.tolist(), result.numpy(force=True))
# => 6.0 [2.0, 2.0, 2.0] [2. 2. 2.]

# %%
# Each function raises if its device is missing, as here for the Apple GPU. Mistakes with
# ``non_blocking`` are shown on :doc:`/gallery/08_devices/mps_non_blocking`, and for CUDA on
# :doc:`/gallery/07_cuda/early_download`.

try:
    torch.mps.synchronize()
except RuntimeError as error:
    print(error)
# => Cannot execute deviceSynchronize() without MPS backend.
