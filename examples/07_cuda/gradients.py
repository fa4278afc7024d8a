"""
CUDA tensor with grad to NumPy: detach().cpu().numpy()
======================================================

Call ``tensor.detach().cpu().numpy()`` on a CUDA tensor that requires grad. A second error follows
the one about ``cuda:0``: outside ``no_grad``, ``cpu().numpy()`` raises
``Can't call numpy() on Tensor that requires grad``.
"""

# sphinx_gallery_tags = ["cuda", "autograd", "numpy", "error"]

import torch

# %%
# Two things prevent the conversion of this tensor, and the message names the first. Without
# gradients there is one: :doc:`/gallery/13_errors/cuda_to_numpy`.

weights = torch.tensor([1.0, 2.0], device="cuda", requires_grad=True)
try:
    weights.numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# If you follow the advice, you get the second error.

try:
    weights.cpu().numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# Autograd records :meth:`torch.Tensor.cpu` as an operation, so that gradients could flow back to
# the GPU through the copy.

fetched = weights.cpu()
print(fetched.requires_grad, type(fetched.grad_fn).__name__)
# => True ToCopyBackward0

# %%
# Call :meth:`torch.Tensor.detach` first, so that the copy is not recorded. The other order gives
# the same values, but records an operation that you do not need.

print(weights.detach().cpu().requires_grad)
# => False
print(weights.detach().cpu().numpy())
# => [1. 2.]

# %%
# The array is a copy, so changing it does not change the parameter. On a CPU tensor the same line
# shares memory. To do all three calls at once, see :doc:`/gallery/07_cuda/force`.

array = weights.detach().cpu().numpy()
array[0] = 9
print(weights)
# => tensor([1., 2.], device='cuda:0', requires_grad=True)
