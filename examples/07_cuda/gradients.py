"""
CUDA tensor with grad to NumPy: detach().cpu().numpy()
======================================================

Call ``tensor.detach().cpu().numpy()`` on a CUDA tensor that requires grad: the error about
``cuda:0`` is only the first, and ``cpu().numpy()`` then raises ``Can't call numpy() on Tensor that
requires grad``.
"""

# sphinx_gallery_tags = ["cuda", "autograd", "numpy", "error"]

import torch

# %%
# Two things keep this tensor from becoming an array, and the message names
# only the first.

weights = torch.tensor([1.0, 2.0], device="cuda", requires_grad=True)
try:
    weights.numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# Following that advice leads to the second.

try:
    weights.cpu().numpy()
except RuntimeError as error:
    print(error)
# => Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.

# %%
# :meth:`torch.Tensor.cpu` is an operation like any other: autograd records it,
# so that gradients could flow back to the GPU through the copy.

fetched = weights.cpu()
print(fetched.requires_grad, type(fetched.grad_fn).__name__)
# => True ToCopyBackward0

# %%
# :meth:`torch.Tensor.detach` first, and the copy is not recorded. The other
# order gives the same values after recording a node for nothing.

print(weights.detach().cpu().requires_grad)
# => False
print(weights.detach().cpu().numpy())
# => [1. 2.]

# %%
# The array is a copy, so editing it cannot damage the parameter; on the CPU the
# same line shares memory with it. :doc:`/gallery/07_cuda/force` shows the three
# calls in one.

array = weights.detach().cpu().numpy()
array[0] = 9
print(weights)
# => tensor([1., 2.], device='cuda:0', requires_grad=True)
