"""
Arrays under inference_mode and no_grad
=======================================

Prepare training data under ``torch.no_grad``: training on a tensor made in ``torch.inference_mode``
can raise ``Inference tensors cannot be saved for backward``; a ``clone`` made outside works.
"""

# sphinx_gallery_tags = ["autograd", "from_numpy", "error"]

import numpy as np
import torch

# %%
# Inside :class:`torch.inference_mode`, ``from_numpy`` makes an inference tensor. It shares memory
# with the array, and ``numpy()`` works on it.

array = np.ones(2, dtype=np.float32)
with torch.inference_mode():
    features = torch.from_numpy(array)
print(features.is_inference(), np.shares_memory(features.numpy(), array))
# => True True

# %%
# It stays an inference tensor after the block ends. `Inference mode skips the bookkeeping
# <https://docs.pytorch.org/docs/stable/notes/autograd.html#inference-mode>`__ that autograd needs
# later. The product here saves the tensor for the backward pass, so it raises.

weight = torch.ones(2, requires_grad=True)
try:
    (weight * features).sum().backward()
except RuntimeError as error:
    print(str(error).split(".")[0])
# => Inference tensors cannot be saved for backward
try:
    features.requires_grad_()
except RuntimeError as error:
    print(error)
# => Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.

# %%
# Outside the block, ``add_`` on the tensor raises too. It raises after the write, so check the
# values before you repeat the operation.

try:
    features.add_(1)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => Inplace update to inference tensor outside InferenceMode is not allowed
print(features)
# => tensor([2., 2.])

# %%
# NumPy writes to the memory without such a check.

array[:] = [3, 5]
print(features)
# => tensor([3., 5.])

# %%
# A clone made outside the block is an ordinary tensor. To avoid the copy, convert to NumPy and
# back: the result is an ordinary tensor on the same memory.

cloned = features.clone()
imported = torch.from_numpy(features.numpy())
print(cloned.is_inference(), imported.is_inference())
# => False False
(weight * imported).sum().backward()
print(weight.grad)
# => tensor([3., 5.])

# %%
# The imported tensor shares memory with the inference tensor, and autograd does not detect a write
# to that tensor. The clone is safe.

print(imported.data_ptr() == features.data_ptr(), cloned.data_ptr() == features.data_ptr())
# => True False

# %%
# Under :class:`torch.no_grad`, ``from_numpy`` makes an ordinary tensor. Use it to prepare training
# data, and use inference mode for results that you convert to NumPy and do not train with.

with torch.no_grad():
    prepared = torch.from_numpy(array)
    print(prepared.is_inference(), weight.numpy())
# => False [1. 1.]
