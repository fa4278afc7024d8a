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
# A DLPack export contains the index of the GPU, so the other library knows where the memory is.

tensor = torch.tensor([1.0, 2.0], device="cuda:1")
print(tensor.__dlpack_device__()[1], torch.cuda.current_device())
# => 1 0

# %%
# An export is ordered with the current stream, and each stream belongs to one GPU. Torch therefore
# does not export from another GPU than the current one. You may `meet the error
# <https://github.com/pollockjj/ComfyUI-MultiGPU/issues/167>`__ if parts of a model are on several
# GPUs and a library uses DLPack internally.

try:
    torch.from_dlpack(tensor)
except BufferError as error:
    print(type(error).__name__)
# => BufferError

# %%
# Make the tensor's GPU the current one during the whole exchange.

with torch.cuda.device(tensor.device):
    imported = torch.from_dlpack(tensor)
print(imported.device, imported.data_ptr() == tensor.data_ptr())
# => cuda:1 True

# %%
# If you need the values on the current GPU anyway, move them. That copies.

moved = torch.from_dlpack(tensor.to("cuda"))
print(moved.device)
# => cuda:0

# %%
# NumPy is not affected: ``cpu()`` works for a tensor on the other GPU, and the result can be
# exported.

print(np.from_dlpack(tensor.cpu()), tensor.cpu().numpy())
# => [1. 2.] [1. 2.]
