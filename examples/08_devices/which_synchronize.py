"""
Which synchronize function to call
==================================

Call ``torch.cuda.synchronize`` for CUDA, ``torch.mps.synchronize`` for an Apple GPU, and nothing for
the CPU, where every operation has finished when it returns.
"""

# sphinx_gallery_tags = ["device", "non_blocking", "error"]

import numpy as np
import torch

# %%
# A GPU works on while Python goes on. Wait for it before you read a clock, or use values that were
# copied with ``non_blocking=True``. Which function waits depends on the device of the tensor.


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
# ``non_blocking=True`` from CPU to CPU does nothing: the tensor is the same one.

print(result.to("cpu", non_blocking=True) is result)
# => True

# %%
# ``item``, ``tolist``, ``cpu`` and ``numpy(force=True)`` wait by themselves. That is why they seem
# slow on a GPU: the time of the work before them is counted as theirs.

print(result.sum().item(), result.tolist(), result.numpy(force=True))
# => 6.0 [2.0, 2.0, 2.0] [2. 2. 2.]

# %%
# Each function raises where its device is missing, here the Apple GPU. What goes wrong with
# ``non_blocking`` there is on :doc:`/gallery/08_devices/mps_non_blocking`, and for CUDA on
# :doc:`/gallery/07_cuda/early_download`.

try:
    torch.mps.synchronize()
except RuntimeError as error:
    print(error)
# => Cannot execute deviceSynchronize() without MPS backend.
