"""
Tensor that requires grad to NumPy: detach().numpy()
====================================================

``tensor.detach().numpy()`` takes the values out of a tensor that requires grad, and shares its
memory. Add ``.copy()`` if you change the array or keep it past the next optimizer step.
"""

# sphinx_gallery_tags = ["autograd", "sharing", "error"]

import numpy as np
import torch

# %%
# NumPy records no gradients, so a tensor that requires them refuses to be converted:
# :doc:`/gallery/13_errors/numpy_requires_grad`.

weights = torch.tensor([1.0, 2.0], requires_grad=True)
try:
    weights.numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# The error names the fix: :meth:`torch.Tensor.detach` says that the gradient may end here.

array = weights.detach().numpy()
print(array)
# => [1. 2.]

# %%
# Detaching is not copying. The documentation of ``detach`` says that the `storage is shared
# <https://docs.pytorch.org/docs/stable/generated/torch.Tensor.detach.html>`__, so a write to the
# array changes the parameter that an optimizer owns.

array[0] = 50
print(weights)
# => tensor([50.,  2.], requires_grad=True)

# %%
# Add a copy where the array will be changed, or where it must outlive the next optimizer step.

safe = weights.detach().numpy().copy()
safe[0] = 0
print(weights[0].item())
# => 50.0

# %%
# Results of tracked operations are refused as well. ``clone`` is no fix, because a clone takes
# part in the gradient too.

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
# convert, and so does the leaf itself, as a view, although it still requires gradients.

with torch.no_grad():
    print((weights * 2).numpy())
    print(np.shares_memory(weights.numpy(), array), weights.requires_grad)
# => [100.   4.]
# => True True

# %%
# Reading through ``detach`` leaves the recorded operations as they were: the gradient is right
# although NumPy looked at the values between the two passes.

loss = (weights**2).sum()
print(np.sum(weights.detach().numpy()))
# => 52.0
loss.backward()
print(weights.grad)
# => tensor([100.,   4.])
