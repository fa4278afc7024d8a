"""
CUDA tensor to NumPy: cpu().numpy()
===================================

Call ``tensor.cpu().numpy()`` on a CUDA tensor, or ``tensor.detach().cpu().numpy()`` if it requires
grad: ``numpy()`` alone raises ``can't convert cuda:0 device type tensor to numpy``.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "error", "correction"]

import torch

# %%
# Creating a tensor on the GPU does not raise. Some tutorials show the error below such a line, but
# it comes from a conversion.

weights = torch.tensor([1.0, 2.0, 3.0], device="cuda:0")
print(weights)
# => tensor([1., 2., 3.], device='cuda:0')

# %%
# :meth:`torch.Tensor.numpy` returns a view of CPU memory instead of a copy, so it raises for a
# tensor on the GPU.

try:
    weights.numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# Copy to the CPU first, then convert. The array has the same dtype and shape, and is a copy
# (:doc:`/gallery/07_cuda/snapshot`).

array = weights.cpu().numpy()
print(array, array.dtype)
# => [1. 2. 3.] float32

# %%
# Arrays have no ``cuda`` method. To get back to the GPU, make a tensor of the array first.

try:
    array.cuda()
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'cuda'

# %%
# If the tensor requires gradients, also call ``detach``: :doc:`/gallery/07_cuda/gradients`. To do
# this in one call see :doc:`/gallery/07_cuda/force`. Lists of tensors, NumPy functions and calls
# that do not help are on :doc:`/gallery/13_errors/cuda_to_numpy`.

weights = torch.ones(2, device="cuda", requires_grad=True)
print(weights.detach().cpu().numpy())
# => [1. 1.]
