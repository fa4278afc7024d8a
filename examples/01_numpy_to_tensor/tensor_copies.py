"""
torch.tensor always copies
==========================

``torch.tensor`` always copies, so neither the array nor the tensor sees later writes to the other;
``as_tensor``, ``asarray``, ``from_numpy`` and ``from_dlpack`` share memory where they can.
"""

# sphinx_gallery_tags = ["copy", "sharing", "correction"]

import numpy as np
import torch

# %%
# :func:`torch.tensor` reads the values and stores them in memory of its own. An update of the
# array comes too late for it.

array = np.array([0.0, 1.0, 2.0])
tensor = torch.tensor(array)
array += 1
print(array, tensor)
# => [1. 2. 3.] tensor([0., 1., 2.], dtype=torch.float64)

# %%
# Nor does the array notice what happens to the tensor.

tensor[0] = 100
print(array)
# => [1. 2. 3.]

# %%
# A frequent mistake is to conclude that *every* tensor built from an array is a copy. Of these
# functions one alone copies: the others share as long as they need not change anything.

for convert in [torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy, torch.from_dlpack]:
    print(convert.__name__, np.shares_memory(convert(array).numpy(), array))
# => tensor False
# => as_tensor True
# => asarray True
# => from_numpy True
# => from_dlpack True

# %%
# The method form, :meth:`torch.Tensor.new_tensor`, `copies too
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.new_tensor.html>`__. It takes over
# the dtype and the device of the tensor that it is called on.

template = torch.zeros(1, dtype=torch.float16)
print(template.new_tensor(array))
# => tensor([1., 2., 3.], dtype=torch.float16)

# %%
# A copy is the right choice for memory that must not be written to. Sharing a read-only array
# gives a warning, since tensors have no such flag; copying it needs none:
# :doc:`/gallery/13_errors/read_only_array`.

array.flags.writeable = False
shared = torch.as_tensor(array)
# => UserWarning: The given NumPy array is not writable, and PyTorch does not support non-writable tensors. This means writing to this tensor will result in undefined behavior. You may want to copy the array to protect its data or make it writable before converting it to a tensor. This type of warning will be suppressed for the rest of this program.
copied = torch.tensor(array)
print(np.shares_memory(copied.numpy(), array))
# => False

# %%
# It costs nothing extra when the dtype changes anyway, because a new dtype needs new memory. Ask
# for it in the same call instead of converting a copy a second time.

print(torch.tensor(array, dtype=torch.float32))
# => tensor([1., 2., 3.])

# %%
# For a tensor as input, ``torch.tensor`` warns and recommends ``clone``. Code that receives
# either kind uses :func:`torch.asarray` with ``copy=True``, which accepts both silently:
# :doc:`/gallery/01_numpy_to_tensor/asarray`.

print(torch.tensor(copied) is copied)
# => False
# => UserWarning: To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).
print(torch.asarray(copied, copy=True) is copied, torch.asarray(array, copy=True) is array)
# => False False
