"""
Tensor that requires grad to NumPy: detach().numpy()
====================================================

``tensor.detach().numpy()`` gives an array that shares the memory of a tensor that requires grad. Add
``.copy()`` if you change the array or need its values after the next optimizer step.
"""

# sphinx_gallery_tags = ["autograd", "sharing", "error"]

import numpy as np
import torch

# %%
# NumPy records no gradients, so converting a tensor that requires them raises:
# :doc:`/gallery/13_errors/numpy_requires_grad`.

weights = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# The error names the fix: :meth:`torch.Tensor.detach` returns a tensor without gradient history.

array = weights.detach().numpy()
print(array)
# => [1. 2.]

# %%
# ``detach`` does not copy. Its documentation says that the `storage is shared
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.detach.html>`__, so a write to the
# array changes the parameter.

array[0] = 50
print(weights)
# => tensor([50.,  2.], requires_grad=True)

# %%
# Add ``copy()`` if you will change the array, or need its values after the next optimizer step.

safe = weights.detach().numpy().copy()
safe[0] = 0
print(weights[0].item())
# => 50.0

# %%
# Results that require gradients raise as well. ``clone`` does not help, because the clone requires
# gradients too.

for result in [weights * 2, weights.clone()]:
    try:
        result.numpy()
    except RuntimeError as error:
        print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# Inside :class:`torch.no_grad` the `check is off
# <https://github.com/pytorch/pytorch/blob/main/torch/csrc/utils/tensor_numpy.cpp>`__: new results
# convert. The leaf itself converts too, without a copy, although it still requires gradients.

with torch.no_grad():
    print((weights * 2).numpy())
    print(np.shares_memory(weights.numpy(), array), weights.requires_grad)
# => [100.   4.]
# => True True

# %%
# Reading values through ``detach`` does not disturb the recorded operations: the gradient is right,
# although NumPy read the values between the forward and the backward pass.

loss = (weights**2).sum()
print(np.sum(weights.detach().numpy()))
# => 52.0
loss.backward()
print(weights.grad)
# => tensor([100.,   4.])
