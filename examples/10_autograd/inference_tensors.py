"""
Arrays under inference_mode and no_grad
=======================================

Prepare training data under ``torch.no_grad``: a tensor made in ``torch.inference_mode``, even from
an array, cannot be saved for backward unless you ``clone`` it outside.
"""

# sphinx_gallery_tags = ["autograd", "from_numpy", "error"]

import numpy as np
import torch

# %%
# Inside :class:`torch.inference_mode` every new tensor is an inference tensor, an imported array
# included. It converts like any other, and it shares.

array = np.ones(2, dtype=np.float32)
with torch.inference_mode():
    features = torch.from_numpy(array)
print(features.is_inference(), np.shares_memory(features.numpy(), array))
# => True True

# %%
# The mark stays when the block ends. What `inference mode saves
# <https://docs.pytorch.org/docs/stable/notes/autograd.html#inference-mode>`__ is the bookkeeping
# that autograd would need later, so the tensor cannot take part in training.

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
# Outside the block an in-place operation of torch raises too. Look at the values before you repeat
# it: the error comes after the write.

try:
    features.add_(1)
except RuntimeError as error:
    print(str(error).split(".")[0])
# => Inplace update to inference tensor outside InferenceMode is not allowed
print(features)
# => tensor([2., 2.])

# %%
# NumPy writes without any check. An inference tensor has no version counter that could notice.

array[:] = [3, 5]
print(features)
# => tensor([3., 5.])

# %%
# A clone that is made outside is an ordinary tensor. To avoid the copy, go through NumPy once
# more: the mark belongs to the tensor, not to the memory.

cloned = features.clone()
imported = torch.from_numpy(features.numpy())
print(cloned.is_inference(), imported.is_inference())
# => False False
(weight * imported).sum().backward()
print(weight.grad)
# => tensor([3., 5.])

# %%
# That import shares memory with a tensor that nothing watches, so a write through either stays
# unnoticed. The clone is the safe one.

print(imported.data_ptr() == features.data_ptr(), cloned.data_ptr() == features.data_ptr())
# => True False

# %%
# :class:`torch.no_grad` leaves no mark. Prepare with it what will be used in training, and keep
# inference mode for results that go to NumPy and end there.

with torch.no_grad():
    prepared = torch.from_numpy(array)
    print(prepared.is_inference(), weight.numpy())
# => False [1. 1.]
