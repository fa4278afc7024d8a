"""
from_dlpack from a GPU that is not current: BufferError
=======================================================

``torch.from_dlpack`` raises a ``BufferError`` for a tensor on a GPU that is not the current one.
Wrap the exchange in ``with torch.cuda.device(tensor.device)``.
"""

# sphinx_gallery_tags = ["cuda", "cuda:2", "dlpack", "device", "error"]

import numpy as np
import torch

# %%
# The export names the GPU by its index, so the consumer knows where the memory is.

tensor = torch.tensor([1.0, 2.0], device="cuda:1")
print(tensor.__dlpack_device__()[1], torch.cuda.current_device())
# => 1 0

# %%
# Streams belong to a GPU, and an export is ordered with the current one, so torch exports only from
# the current GPU. Programs that place parts of a model on several GPUs `meet the error
# <https://github.com/pollockjj/ComfyUI-MultiGPU/issues/167>`__ in libraries that use DLPack inside.

try:
    torch.from_dlpack(tensor)
except BufferError as error:
    print(type(error).__name__)
# => BufferError

# %%
# Make the tensor's GPU the current one, for the whole exchange.

with torch.cuda.device(tensor.device):
    imported = torch.from_dlpack(tensor)
print(imported.device, imported.data_ptr() == tensor.data_ptr())
# => cuda:1 True

# %%
# Or move the values, if they are needed on the current GPU anyway. That copies.

moved = torch.from_dlpack(tensor.to("cuda"))
print(moved.device)
# => cuda:0

# %%
# The way to NumPy is not concerned: ``cpu()`` works for a tensor on any GPU, and what it returns is
# exported from the host.

print(np.from_dlpack(tensor.cpu()), tensor.cpu().numpy())
# => [1. 2.] [1. 2.]
