"""
CUDA tensor to NumPy: cpu().numpy()
===================================

Call ``tensor.cpu().numpy()`` on a CUDA tensor, or ``tensor.detach().cpu().numpy()`` if it requires
grad: ``numpy()`` alone raises ``can't convert cuda:0 device type tensor to numpy``.
"""

# sphinx_gallery_tags = ["cuda", "numpy", "error", "correction"]

import torch

# %%
# Creating a tensor on the GPU raises nothing. Some tutorials print the error
# below such a line, but it takes a conversion to cause it.

weights = torch.tensor([1.0, 2.0, 3.0], device="cuda:0")
print(weights)
# => tensor([1., 2., 3.], device='cuda:0')

# %%
# :meth:`torch.Tensor.numpy` returns a view of host memory and never copies on
# its own, so it refuses a tensor that has none.

try:
    weights.numpy()
except TypeError as error:
    print(error)
# => can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.

# %%
# Copy first, convert second. The array keeps dtype and shape, and is a
# snapshot (:doc:`/gallery/07_cuda/snapshot`).

array = weights.cpu().numpy()
print(array, array.dtype)
# => [1. 2. 3.] float32

# %%
# There is no such step on the other side: an array cannot leave the host, so
# the way back begins with a tensor.

try:
    array.cuda()
except AttributeError as error:
    print(error)
# => 'numpy.ndarray' object has no attribute 'cuda'

# %%
# A tensor that records gradients needs one call more,
# :doc:`/gallery/07_cuda/gradients`. For values that are only displayed,
# :doc:`/gallery/07_cuda/force` does it all.

weights = torch.ones(2, device="cuda", requires_grad=True)
print(weights.detach().cpu().numpy())
# => [1. 1.]
